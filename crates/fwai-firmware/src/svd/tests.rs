//! SVD files in the styles of several vendors, and broken ones.

use std::path::Path;

use super::*;

const DEVICE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.1">
  <name>TEST32</name><size>0x20</size><resetValue>0x0</resetValue>
  <peripherals>
    <peripheral>
      <name>TIM1</name><description>Timer
         one</description><baseAddress>0x40010000</baseAddress>
      <interrupt><name>TIM1_UP</name><value>25</value></interrupt>
      <registers>
        <register><name>CR1</name><addressOffset>0x0</addressOffset><resetValue>0x00000080</resetValue>
          <fields>
            <field><name>CEN</name><bitOffset>0</bitOffset><bitWidth>1</bitWidth>
              <enumeratedValues><name>ENABLE</name>
                <enumeratedValue><name>Off</name><value>0</value></enumeratedValue>
                <enumeratedValue><name>On</name><description>Counter enabled</description><value>1</value></enumeratedValue>
              </enumeratedValues></field>
            <field><name>CMS</name><bitRange>[6:5]</bitRange>
              <enumeratedValues>
                <enumeratedValue><name>Edge</name><value>#00</value></enumeratedValue>
                <enumeratedValue><name>Centre</name><value>#1x</value></enumeratedValue>
                <enumeratedValue><name>Other</name><isDefault>true</isDefault></enumeratedValue>
              </enumeratedValues></field>
            <field><name>ARPE</name><lsb>7</lsb><msb>7</msb><enumeratedValues derivedFrom="ENABLE"/></field>
          </fields></register>
        <register derivedFrom="CR1"><name>CR2</name><addressOffset>0x4</addressOffset></register>
        <register><dim>4</dim><dimIncrement>4</dimIncrement><dimIndex>1-4</dimIndex>
          <name>CCR%s</name><addressOffset>0x34</addressOffset><size>16</size></register>
        <cluster><dim>2</dim><dimIncrement>0x10</dimIncrement><name>CH[%s]</name><addressOffset>0x100</addressOffset>
          <register><name>CFG</name><addressOffset>0x8</addressOffset><access>read-only</access></register>
        </cluster>
      </registers>
    </peripheral>
    <peripheral derivedFrom="TIM1"><name>TIM8</name><baseAddress>0x40010400</baseAddress></peripheral>
    <peripheral><name>BROKEN</name></peripheral>
    <peripheral derivedFrom="NOWHERE"><name>LOST</name><baseAddress>0x50000000</baseAddress></peripheral>
  </peripherals>
</device>"##;

fn device() -> Svd {
    Svd::parse(Path::new("test.svd"), DEVICE.as_bytes()).unwrap()
}

#[test]
fn registers_by_name_through_arrays_clusters_and_derivation() {
    let svd = device();
    for (path, address, size) in [
        ("TIM1.CR1", 0x4001_0000, 32),
        ("tim8.cr1", 0x4001_0400, 32),
        ("TIM8->CR2", 0x4001_0404, 32),
        ("TIM1.CCR1", 0x4001_0034, 16),
        ("TIM1.CCR4", 0x4001_0040, 16),
        ("TIM8.CH[1].CFG", 0x4001_0518, 32),
    ] {
        let (_, register, _) = svd.register(path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((register.address, register.size), (address, size), "{path}");
    }
    let (_, register, field) = svd.register("TIM8.CR1.CMS").unwrap();
    assert_eq!((register.reset_value, field.unwrap().bits().as_str()), (Some(0x80), "[6:5]"));
    assert_eq!(svd.register_at(0x4001_0402).unwrap().0.name, "TIM8");
    assert_eq!(svd.peripherals[0].description, "Timer one");
}

#[test]
fn a_value_reads_as_words() {
    let svd = device();
    let (peripheral, register, _) = svd.register("TIM1.CR1").unwrap();
    let shown = register.decode(peripheral, 0xC1).to_string();
    insta::assert_snapshot!(shown, @r"
    TIM1.CR1 @ 0x40010000 = 0x000000c1
     * [0]      CEN              0x1  On: Counter enabled
     * [6:5]    CMS              0x2  Centre
       [7]      ARPE             0x1  On: Counter enabled
    ");
    assert_eq!(register.decode(peripheral, 0x20).fields[1].meaning.as_deref(), Some("Other"));
}

#[test]
fn what_cannot_be_understood_is_noted_and_left_out() {
    let svd = device();
    assert!(svd.peripheral("BROKEN").is_none() && svd.peripheral("LOST").is_some());
    assert_eq!(svd.problems.len(), 2, "{:?}", svd.problems);
    assert!(svd.problems[0].contains("BROKEN has no base address"), "{:?}", svd.problems);
    let error = svd.register("TIM1.CR3").unwrap_err().to_string();
    assert!(error.contains("did you mean `TIM1.C"), "{error}");
}

#[test]
fn endless_derivation_ends() {
    let text = r#"<device><peripherals>
      <peripheral derivedFrom="B"><name>A</name></peripheral>
      <peripheral derivedFrom="A"><name>B</name><baseAddress>1</baseAddress>
        <registers><register derivedFrom="Y"><name>X</name></register>
        <register derivedFrom="X"><name>Y</name></register></registers></peripheral>
    </peripherals></device>"#;
    let svd = Svd::parse(Path::new("x.svd"), text.as_bytes()).unwrap();
    assert!(svd.problems.len() >= 2, "{:?}", svd.problems);
}

#[test]
fn no_xml_and_no_device_are_said() {
    for (text, expect) in
        [("", "not well-formed"), ("<device>", "not well-formed"), ("<html/>", "no <device>")]
    {
        let error = Svd::parse(Path::new("x.svd"), text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    }
}

proptest::proptest! {
    /// Texts change place, numbers grow, pieces vanish: whatever is still XML is read as far as it goes.
    #[test]
    fn no_file_is_too_strange(
        from in 0usize..2_000, length in 0usize..60, to in 0usize..2_000, number in proptest::prelude::any::<u64>()
    ) {
        let ascii = |text: &str, at: usize| at.min(text.len());
        let cut = &DEVICE[ascii(DEVICE, from)..ascii(DEVICE, from + length)];
        let moved = format!("{}{cut}{}", &DEVICE[..ascii(DEVICE, to)], &DEVICE[ascii(DEVICE, to)..]);
        let without = format!("{}{}", &DEVICE[..ascii(DEVICE, from)], &DEVICE[ascii(DEVICE, from + length)..]);
        let large = DEVICE.replace("<dim>4</dim>", &format!("<dim>{number}</dim>"));
        let far = DEVICE.replace("0x40010000", &format!("{number:#x}")).replace("[6:5]", &format!("[{number}:5]"));
        for text in [moved, without, large, far] {
            if let Ok(svd) = Svd::parse(Path::new("strange.svd"), text.as_bytes()) {
                let _ = svd.register("TIM1.CCR2");
                let _ = svd.register_at(0x4001_0000);
            }
        }
    }
}
