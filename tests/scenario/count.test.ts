/** Numbers of battles in sweep and expectation files. */
import { expect, test } from 'vitest';
import { expectationsFile } from '../../src/analysis/expectations/load-expectations.ts';
import { checkBySchema } from '../../src/rules/scenario/check-scenario.ts';
import { readDocument } from '../../src/rules/scenario/document.ts';
import { schema } from '../../src/storage/sweep/sweep-file.ts';

const sweep = (battles: string) =>
  checkBySchema(schema, readDocument(`scenario: x\naxes: [{ path: a, values: [1] }]\nbattles: ${battles}\n`, 'f.yaml'));

const expectations = (battles: string) =>
  checkBySchema(
    expectationsFile,
    readDocument(`battles: ${battles}\nexpectations: [{ name: n, expect: attacker at least 0 }]\n`, 'f.yaml'),
  );

test.each(['1000000', '1e6', '"1e6"', '1M', '1_000_000', '"1,000,000"', '1 000 000'])(
  '%s is parsed as a million',
  (battles) => {
    expect(sweep(battles).battles).toBe(1e6);
    expect(expectations(battles).battles).toBe(1e6);
  },
);

test.each(['1,5', '"1e99"', 'many', '-1'])('%s is rejected', (battles) => {
  const found = `found ${battles === '-1' ? battles : JSON.stringify(battles.replaceAll('"', ''))}`;
  const expected = 'f.yaml:3:10 battles: expected an integer >= 0 or a text such as 1M or 1,000,000, ';
  expect(() => sweep(battles)).toThrow(expected + found);
});
