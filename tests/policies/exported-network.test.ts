/** A network that `write_network` of the Python package has written, with the probabilities that NumPy computed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PolicyNetwork } from '../../src/rules/policy-file.ts';
import { Network } from '../../src/rules/policy-network.ts';

const { policy, cases } = JSON.parse(readFileSync('tests/policies/exported-network.json', 'utf8')) as {
  readonly policy: PolicyNetwork;
  readonly cases: readonly {
    readonly observation: readonly number[];
    readonly legal: readonly string[];
    readonly probabilities: readonly number[];
  }[];
};

test('an exported network has the probabilities of NumPy', () => {
  const network = new Network('policy', policy);
  expect(cases.length).toBeGreaterThan(10);
  for (const { observation, legal, probabilities } of cases) {
    const shares = network.computeShares(
      observation,
      legal.map((name) => policy.actions.indexOf(name)),
    );
    const sum = shares.reduce((total, share) => total + share, 0);
    // Outputs are equal in float32; exponentials in double precision differ in the last digits.
    for (const [o, share] of shares.entries()) expect(share / sum).toBeCloseTo(probabilities[o] ?? 0, 14);
  }
});
