import { expect, test } from 'vitest';
import { documentForecast } from './document-forecast.ts';
import { decidedSummary } from './example-summaries.ts';
import { readTestDocument } from './read-test-document.ts';
import { documentSuite, type SuiteReadout, testDocument } from './test-document.ts';

const trial = { caseId: 'case_1', title: 'Find', provider: 'openai', durationMs: 60_000 };
const readout = (model: string, provider: string): SuiteReadout => ({
  file: 'orders.suite.yaml',
  name: 'Orders',
  exitCode: 0,
  summary: decidedSummary(['pp']),
  run: {
    createdAt: 1,
    completedAt: 2,
    spending: { credits: 4, priced: true, inputTokens: 1, outputTokens: 1 },
    caseTitles: { case_1: 'Find' },
  },
  passed: [
    { ...trial, model, provider },
    { ...trial, model, provider },
  ],
  notPassed: [],
  calls: new Map(),
  lineOf: () => 1,
});

function forecast(suite: SuiteReadout, drop = 0.2) {
  const text = JSON.stringify(testDocument([suite], { asked: 1, exitCode: 0 }));
  const [read] = readTestDocument(text) ?? [];
  if (read?.decision === undefined) throw new Error('The document was not read.');
  return documentForecast({ file: 'a.json', suite: read, decision: read.decision }, { drop });
}

test('a tested suite has the settings of its cases, and its trials tell what one costs', () => {
  const told = forecast(readout('gpt-5', 'openai'));
  if (!('forecast' in told)) throw new Error('The forecast was refused.');
  const [one] = told.forecast.cases;
  expect(one).toMatchObject({
    testCaseId: 'case_1',
    title: 'Find',
    model: 'openai/gpt-5',
    deterministic: false,
    today: { trials: 2, passThreshold: 0.8 },
  });
  const { fixed, cost } = one ?? {};
  expect(fixed?.trials).toBeGreaterThan(2);
  expect(cost?.fixed).toEqual({ credits: 2 * Number(fixed?.trials), minutes: fixed?.trials });
});

test('the built-in model needs one trial, unless a judge was asked', () => {
  const suite = readout('lexical-1', 'proofmark');
  const told = forecast(suite);
  expect(told).toMatchObject({ forecast: { cases: [{ deterministic: true }] } });
  const spending = { credits: 4, priced: true, inputTokens: 1, outputTokens: 1 };
  const run = { ...suite.run, spending: { ...spending, judges: spending } };
  expect(documentSuite({ ...suite, run })).toMatchObject({ judged: true });
  expect(forecast({ ...suite, run })).toMatchObject({
    forecast: { cases: [{ deterministic: false }] },
  });
});

test('a case that an own scorer grades is played more than once on the built-in model', () => {
  const suite = readout('lexical-1', 'proofmark');
  const asksScorer = (caseId: string) => caseId === 'case_1';
  const told = forecast({ ...suite, asksScorer });
  expect(told).toMatchObject({ forecast: { cases: [{ deterministic: false }] } });
  const other = forecast({ ...suite, asksScorer: () => false });
  expect(other).toMatchObject({ forecast: { cases: [{ deterministic: true }] } });
});

test('a drop that no case can have is refused', () => {
  expect(forecast(readout('gpt-5', 'openai'), 0.97)).toMatchObject({
    refusal: { message: 'The drop must be smaller than the healthy rate.' },
  });
});
