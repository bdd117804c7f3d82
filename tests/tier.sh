# SPDX-License-Identifier: Apache-2.0
# Sourced by tests with many similar cases. `make test` runs some of them, `make test-long` all
# (README.md).

whole() { [ -n "${TEST_LONG:-}" ]; } # all cases, at full length
tier_calls=0
# sampled N: true for every Nth call, starting with the first; in the whole test for every call
sampled() {
  tier_calls=$((tier_calls + 1))
  whole || [ $(((tier_calls - 1) % $1)) = 0 ]
}
