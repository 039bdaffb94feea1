//! Peripheral registers by name and field, from an SVD file.

use super::session::{DebugError, DebugSession};
use crate::svd::{DecodedRegister, Register, Svd};

/// Registers of one peripheral that are read in one go.
const MOST_READ: usize = 256;

impl DebugSession {
    /// `USART1`, `USART1.CR1` or `USART1.CR1.UE`: values from the target. The text says why not.
    pub(super) async fn read_peripheral(
        &mut self,
        path: &str,
    ) -> Result<Result<Vec<DecodedRegister>, String>, DebugError> {
        let Some(file) = self.options.svd.clone() else {
            return Ok(Err("no SVD file is known; set `target.svd` in .fwai/project.yaml".into()));
        };
        let svd = match Svd::open(&file) {
            Ok(svd) => svd,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let (peripheral, wanted): (_, Vec<&Register>) = match svd.peripheral(path) {
            Some(peripheral) => {
                // A read that changes the chip happens only when that register is asked for by name.
                let harmless = peripheral.registers.iter().filter(|register| {
                    !register.read_changes_state && register.access.as_deref() != Some("write-only")
                });
                (peripheral, harmless.take(MOST_READ).collect())
            }
            None => match svd.register(path) {
                Ok((peripheral, register, _)) => (peripheral, vec![register]),
                Err(error) => return Ok(Err(error.to_string())),
            },
        };
        let mut decoded = Vec::new();
        for register in wanted {
            let bytes = match self
                .read_memory(register.address, register.size.div_ceil(8).clamp(1, 8) as usize)
                .await
            {
                Ok(bytes) => bytes,
                Err(DebugError::Gdb(super::GdbError::Refused { message, .. })) => return Ok(Err(message)),
                Err(error) => return Err(error),
            };
            let value = bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
            decoded.push(register.decode(peripheral, value));
        }
        Ok(Ok(decoded))
    }
}
