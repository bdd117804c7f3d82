# SPDX-License-Identifier: Apache-2.0
# Sourced by tests with many cases that are alike. `make test` runs some of them, `make test-long` all (README.md).

whole() { [ -n "${TEST_LONG:-}" ]; } # all cases, at full length
tier_calls=0
sampled() { # sampled N: every Nth call, the first among them, says yes; in the whole test each does
  tier_calls=$((tier_calls + 1))
  whole || [ $(((tier_calls - 1) % $1)) = 0 ]
}
