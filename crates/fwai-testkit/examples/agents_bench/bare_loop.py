"""Asks the model, runs what it says, answers; nothing else. The floor of what a turn costs."""
import http.client, json, subprocess, sys

host = sys.argv[1].removeprefix("http://")
connection = http.client.HTTPConnection(host)
tool = {"name": "bash", "description": "runs", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}}}
messages = [{"role": "user", "content": [{"type": "text", "text": "go"}]}]
while True:
    body = {"model": "test-model", "max_tokens": 1000, "stream": False, "tools": [tool], "messages": messages}
    connection.request("POST", "/v1/messages", json.dumps(body), {"anthropic-version": "2023-06-01", "content-type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    messages.append({"role": "assistant", "content": answer["content"]})
    results = []
    for block in answer["content"]:
        if block["type"] == "tool_use":
            ran = subprocess.run(block["input"]["command"], shell=True, capture_output=True, text=True)
            results.append({"type": "tool_result", "tool_use_id": block["id"], "content": ran.stdout})
    if not results:
        break
    messages.append({"role": "user", "content": results})
