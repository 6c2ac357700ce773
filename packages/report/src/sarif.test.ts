import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv-draft-04';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderSarif, type SarifFinding, sarifLevels } from './sarif.ts';
import type { DocumentedCase, DocumentedSuite } from './test-document.ts';
import { testSarif } from './test-sarif.ts';

const schema = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);
const validate = new Ajv({
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
}).compile(JSON.parse(readFileSync(schema, 'utf8')));
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const options = { version: '0.1.0', sha256Hex };

function rendered(findings: readonly SarifFinding[], notExamined?: readonly string[]) {
  const log = JSON.parse(renderSarif(findings, { ...options, notExamined }));
  validate(log);
  expect(validate.errors).toBeNull();
  return log.runs[0];
}

const finding: SarifFinding = {
  rule: { id: 'description-missing', text: 'A tool has no description.' },
  level: 'warning',
  message: ['track has no description.'],
  file: 'evals/my shop.suite.yaml',
  line: 7,
  logicalName: 'track',
  identity: ['shop', 'track'],
};

describe('findings as SARIF', () => {
  test('have a rule each once, a level, a relative place and a name', () => {
    const run = rendered([finding, { ...finding, level: 'note', identity: ['shop', 'ship'] }]);
    expect(run.tool.driver).toMatchObject({ name: 'Proofmark', version: '0.1.0' });
    expect(run.tool.driver.rules).toEqual([
      { id: 'description-missing', shortDescription: { text: 'A tool has no description.' } },
    ]);
    expect(run.results).toHaveLength(2);
    expect(run.results[0]).toMatchObject({
      ruleId: 'description-missing',
      level: 'warning',
      message: { text: 'track has no description.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'evals/my%20shop.suite.yaml' },
            region: { startLine: 7 },
          },
          logicalLocations: [{ name: 'track' }],
        },
      ],
    });
  });

  test('are recognised by what they are about, wherever they stand', () => {
    const keyOf = (one: SarifFinding) => rendered([one]).results[0].partialFingerprints;
    expect(keyOf({ ...finding, line: 90, message: ['Other words.'] })).toEqual(keyOf(finding));
    for (const other of [
      { ...finding, identity: ['shop', 'ship'] },
      { ...finding, file: 'other.suite.yaml' },
      { ...finding, rule: { id: 'schema-missing', text: 'It has no schema.' } },
    ]) {
      expect(keyOf(other)).not.toEqual(keyOf(finding));
    }
    const [one, same] = rendered([finding, finding]).results;
    expect(one.partialFingerprints).not.toEqual(same.partialFingerprints);
  });

  test('text of others makes no link', () => {
    const message = ['Observed: [click](https://evil.example) \\', 'list[0]'];
    expect(rendered([{ ...finding, message }]).results[0].message.text).toBe(
      'Observed: \\[click\\](https://evil.example) \\\\\nlist\\[0\\]',
    );
    const [plain] = rendered([{ ...finding, message: ['list[0]'] }]).results;
    expect(plain.message.text).toBe('list[0]');
  });

  test('what has no result is told, and the run is then no successful one', () => {
    expect(rendered([]).invocations).toEqual([{ executionSuccessful: true }]);
    const [invocation] = rendered([], ['a.suite.yaml: INCONCLUSIVE']).invocations;
    expect(invocation).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ message: { text: 'a.suite.yaml: INCONCLUSIVE' } }],
    });
  });

  test('fit the published schema whatever they hold', () => {
    const text = fc.string({ unit: 'binary' });
    const any = fc.record(
      {
        rule: fc.record({ id: fc.string({ minLength: 1 }), text }),
        level: fc.constantFrom(...sarifLevels),
        message: fc.array(text, { minLength: 1 }),
        file: fc.string({ unit: 'grapheme', minLength: 1 }),
        line: fc.integer({ min: 1 }),
        logicalName: text,
        identity: fc.array(text),
      },
      { requiredKeys: ['rule', 'level', 'message', 'identity'] },
    );
    fc.assert(fc.property(fc.array(any, { maxLength: 4 }), (all) => void rendered(all)));
  });

  test('the schema refuses what it should, so that the checks above say something', () => {
    const log = JSON.parse(renderSarif([finding], options));
    log.runs[0].results[0].level = 'info';
    expect(validate(log)).toBe(false);
  });
});

describe('a test as SARIF', () => {
  const red: DocumentedCase = {
    id: 'ship',
    title: 'Ship an order',
    line: 20,
    verdict: 'failed',
    trials: { graded: 2, passed: 1 },
    flaky: true,
    durationMs: 1,
    stage: 'selection',
    why: 'Selection failed.',
    checks: ['"ship" was never called.'],
    expected: 'ship',
    observed: 'track',
    nextAction: 'Compare the tools.',
  };
  const suite = (cases: readonly DocumentedCase[], more: object = {}) =>
    ({
      file: 'shop.suite.yaml',
      headline: 'FAILED',
      verdict: 'failed',
      cases,
      ...more,
    }) as unknown as DocumentedSuite;
  const runOf = (...suites: DocumentedSuite[]) => {
    const log = JSON.parse(testSarif({ suites }, options));
    validate(log);
    expect(validate.errors).toBeNull();
    return log.runs[0];
  };

  test('a red case is an error at the line of its id, with the stage as its rule', () => {
    const { stage: _, ...nowhere } = red;
    const green: DocumentedCase = { ...red, id: 'find', verdict: 'passed' };
    const run = runOf(suite([green, red]), suite([nowhere], { file: 'other.suite.yaml' }));
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'case-failed/selection',
      'case-failed/unknown',
    ]);
    expect(run.results).toHaveLength(2);
    expect(run.results[0]).toMatchObject({
      ruleId: 'case-failed/selection',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'shop.suite.yaml' },
            region: { startLine: 20 },
          },
        },
      ],
    });
    expect(run.results[0].message.text.split('\n')).toEqual([
      '"Ship an order" failed at selection.',
      '1 of 2 trials passed.',
      'Selection failed.',
      '"ship" was never called.',
      'Expected: ship',
      'Observed: track',
      'Next: Compare the tools.',
    ]);
  });

  test('a suite without a verdict has no result, and the run says so', () => {
    const open = suite([{ ...red, verdict: 'notMeasured' }], {
      verdict: 'inconclusive',
      headline: 'INCONCLUSIVE: 0 of 1 case decided',
    });
    const run = runOf(open);
    expect(run.results).toEqual([]);
    expect(run.invocations[0].executionSuccessful).toBe(false);
  });
});
