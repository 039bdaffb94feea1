//! What becomes of streams as the providers' own servers write them.

use crate::chunking::{RECORDED, fold};
use insta::assert_json_snapshot;

fn answer(at: usize) -> serde_json::Value {
    let (wire, text) = RECORDED[at];
    let (_, completion) = fold(wire, [text.as_bytes()].into_iter()).unwrap();
    serde_json::to_value(completion).unwrap()
}

#[test]
fn anthropic_thinking() {
    assert_json_snapshot!(answer(0), @r#"
    {
      "content": [
        {
          "type": "thinking",
          "provider": "anthropic:m",
          "data": {
            "type": "thinking",
            "thinking": "The clock is 72 MHz.",
            "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds"
          }
        },
        {
          "type": "thinking",
          "provider": "anthropic:m",
          "data": {
            "type": "redacted_thinking",
            "data": "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP"
          }
        },
        {
          "type": "text",
          "text": "I read the µC's clock tree 😀."
        },
        {
          "type": "tool_use",
          "id": "toolu_01",
          "name": "read_file",
          "input": {
            "path": "src/clock.c"
          }
        },
        {
          "type": "tool_use",
          "id": "toolu_02",
          "name": "list_boards",
          "input": {}
        }
      ],
      "stop_reason": "tool_use",
      "usage": {
        "input_tokens": 12,
        "output_tokens": 89,
        "cache_read_tokens": 4096,
        "cache_write_tokens": 2048
      },
      "model": "claude-sonnet-4-5-20250929"
    }
    "#);
}

#[test]
fn openai_chat_parallel_tools() {
    assert_json_snapshot!(answer(1), @r#"
    {
      "content": [
        {
          "type": "tool_use",
          "id": "call_A",
          "name": "bash",
          "input": {
            "command": "make"
          }
        },
        {
          "type": "tool_use",
          "id": "call_B",
          "name": "board_status",
          "input": {}
        }
      ],
      "stop_reason": "tool_use",
      "usage": {
        "input_tokens": 176,
        "output_tokens": 320,
        "cache_read_tokens": 1024,
        "reasoning_tokens": 256
      },
      "model": "gpt-5-2025-08-07"
    }
    "#);
}

#[test]
fn openrouter_comments_and_reasoning() {
    assert_json_snapshot!(answer(2), @r#"
    {
      "content": [
        {
          "type": "text",
          "text": "Done."
        },
        {
          "type": "thinking",
          "provider": "openai_chat:m",
          "data": {
            "reasoning_details": [
              {
                "type": "reasoning.encrypted",
                "data": "abc",
                "format": "x-v1",
                "index": 0
              }
            ]
          }
        }
      ],
      "stop_reason": "end_turn",
      "usage": {
        "input_tokens": 10,
        "output_tokens": 4
      },
      "model": "x/y"
    }
    "#);
}

#[test]
fn compatible_server_without_indexes() {
    assert_json_snapshot!(answer(3), @r#"
    {
      "content": [
        {
          "type": "tool_use",
          "id": "1",
          "name": "bash",
          "input": {
            "command": "ls"
          }
        },
        {
          "type": "tool_use",
          "id": "2",
          "name": "bash",
          "input": {
            "command": "pwd"
          }
        }
      ],
      "stop_reason": "tool_use",
      "usage": {
        "input_tokens": 0,
        "output_tokens": 0
      },
      "model": "local"
    }
    "#);
}

#[test]
fn openai_responses_reasoning() {
    assert_json_snapshot!(answer(4), @r#"
    {
      "content": [
        {
          "type": "thinking",
          "provider": "openai_responses:m",
          "data": {
            "id": "rs_1",
            "type": "reasoning",
            "encrypted_content": "gAAAAAB-whole",
            "summary": [
              {
                "type": "summary_text",
                "text": "**Thinking**"
              }
            ]
          }
        },
        {
          "type": "text",
          "text": "Building."
        },
        {
          "type": "tool_use",
          "id": "call_1",
          "name": "build",
          "input": {
            "target": "all"
          }
        }
      ],
      "stop_reason": "tool_use",
      "usage": {
        "input_tokens": 372,
        "output_tokens": 90,
        "cache_read_tokens": 128,
        "reasoning_tokens": 64
      },
      "model": "gpt-5-2025-08-07"
    }
    "#);
}

#[test]
fn gemini_signatures() {
    assert_json_snapshot!(answer(5), @r#"
    {
      "content": [
        {
          "type": "text",
          "text": "I flash both."
        },
        {
          "type": "thinking",
          "provider": "gemini:m",
          "data": {
            "thoughtSignature": "c2lnLXRleHQ="
          }
        },
        {
          "type": "tool_use",
          "id": "call_1",
          "name": "flash",
          "input": {
            "board": "a"
          },
          "opaque": {
            "thoughtSignature": "c2lnLWNhbGw="
          }
        },
        {
          "type": "tool_use",
          "id": "call_2",
          "name": "flash",
          "input": {
            "board": "b"
          }
        },
        {
          "type": "tool_use",
          "id": "call_3",
          "name": "status",
          "input": {}
        }
      ],
      "stop_reason": "tool_use",
      "usage": {
        "input_tokens": 44,
        "output_tokens": 50,
        "cache_read_tokens": 16,
        "reasoning_tokens": 30
      },
      "model": "gemini-2.5-pro"
    }
    "#);
}

#[test]
fn gemini_blocked() {
    assert_json_snapshot!(answer(6), @r#"
    {
      "content": [],
      "stop_reason": "refusal",
      "usage": {
        "input_tokens": 9,
        "output_tokens": 0
      },
      "model": "gemini-2.5-pro"
    }
    "#);
}

#[test]
fn ollama_tools() {
    assert_json_snapshot!(answer(7), @r#"
    {
      "content": [
        {
          "type": "thinking",
          "provider": "ollama:m",
          "data": {
            "thinking": "The user wants a build."
          }
        },
        {
          "type": "text",
          "text": "Ich baue für dich."
        },
        {
          "type": "tool_use",
          "id": "call_1",
          "name": "build",
          "input": {
            "target": "all"
          }
        }
      ],
      "stop_reason": "tool_use",
      "usage": {
        "input_tokens": 26,
        "output_tokens": 83
      },
      "model": "qwen3:8b"
    }
    "#);
}
