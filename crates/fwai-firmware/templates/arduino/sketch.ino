// {{name}}: says that it lives, once a second.

const char VERSION[] = "0.1.0";

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
  Serial.print("\r\n{{name}} ");
  Serial.println(VERSION);
  Serial.println("boot ok");
}

void loop() {
  static unsigned long seconds = 0;
  digitalWrite(LED_BUILTIN, seconds % 2 ? HIGH : LOW);
  delay(1000);
  Serial.print("alive for ");
  Serial.print(++seconds);
  Serial.println(" s");
}
