import { trialOf } from '@proofmark/harness/any-analyzed-trials.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, makeCandidate } from './candidate.ts';
import { evidenceOfRun, type NamedTrial } from './evidence-of-run.ts';
import { materialLimits } from './finding-evidence.ts';
import { excerptAround } from './transcript-text.ts';

const errored = {
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'search',
      output: {
        type: 'json',
        value: { isError: true, content: [{ type: 'text', text: 'Index 7 is gone.' }] },
      },
    },
  ],
};
const messages = [
  { role: 'user', content: 'Find it.' },
  errored,
  { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
];
const search = { name: 'search', description: 'd'.repeat(5000), inputSchema: { type: 'object' } };
const named = (
  id: string,
  more: Partial<NamedTrial['trial']> = {},
  surface: object = { srv: [search] },
): NamedTrial => ({
  trial: trialOf({
    id,
    order: Number(id),
    toolSurfaceHash: 'hash',
    verdict: 'failed',
    failure: 'It failed.',
    tools: [
      { toolName: 'search', serverId: 'srv', errors: 1, errorCode: '-32000', durationsMs: [] },
    ],
    ...more,
  }),
  messages,
  surface: surface as NamedTrial['surface'],
});

function material(
  detector: 'tool_errors' | 'case_fail',
  exemplars: readonly NamedTrial[],
  contrasts: readonly NamedTrial[] = [],
) {
  const subject =
    detector === 'tool_errors'
      ? { kind: 'tool', id: 'srv.search', label: 'search' }
      : { kind: 'case_variant', id: 'case.m', label: 'Case (m)' };
  const fired = exemplars.map(({ trial }) => trial);
  const slice = [...exemplars, ...contrasts].map(({ trial }) => trial);
  const found = makeCandidate(detector, subject, { fired, slice, metric: 1 }) as Candidate;
  const all = new Map([...exemplars, ...contrasts].map((one) => [one.trial.id, one]));
  return evidenceOfRun(found, (id) => all.get(id));
}

test('an error of a tool is told in the words of its server, with the definition as it was pinned', () => {
  const { kept } = material('tool_errors', [named('1')], [named('2')]);
  expect(kept).toMatchObject({
    pattern: 'index <number> is gone.',
    evidence: [
      {
        kind: 'tool_error',
        excerpt: 'Index 7 is gone.',
        iterationId: '1',
        toolName: 'search',
        errorCode: '-32000',
      },
      { kind: 'contrast', excerpt: 'No.', iterationId: '2' },
    ],
    target: { serverId: 'srv', toolName: 'search', surface: 'handler', snapshotHash: 'hash' },
  });
  expect(kept.target?.currentDefinition).toEqual({
    description: 'd'.repeat(materialLimits.definition),
    truncated: true,
    inputSchemaJson: '{"type":"object"}',
  });
});

describe('there is no target', () => {
  test.each<[string, NamedTrial]>([
    ['where the tool is not listed', named('1', {}, { srv: [] })],
    [
      'where two servers list it',
      named(
        '1',
        { failedTool: 'search', firstFailedStage: 'selection' },
        { srv: [search], other: [search] },
      ),
    ],
    ['without a list', { ...named('1', { toolSurfaceHash: null }), surface: undefined }],
    ['where the case fails for its user alone', named('1', { firstFailedStage: 'userValue' })],
  ])('%s', (_, one) => {
    expect(material('case_fail', [one]).kept.target).toBeUndefined();
  });
});

test.each([
  ['selection', 'description'],
  ['call', 'input_schema'],
  ['response', 'handler'],
] as const)('a case that fails at %s is about the %s', (firstFailedStage, surface) => {
  const one = named('1', { firstFailedStage, failedTool: 'search' });
  expect(material('case_fail', [one]).kept.target).toMatchObject({ surface, toolName: 'search' });
});

test('five rows of evidence are kept, and it is told how many were not', () => {
  const exemplars = ['1', '2', '3', '4'].map((id) => named(id));
  const { kept } = material(
    'case_fail',
    exemplars,
    ['5', '6', '7'].map((id) => named(id)),
  );
  expect(kept.evidence.map(({ iterationId, kind }) => `${iterationId} ${kind}`)).toEqual([
    ...['1 transcript', '2 transcript', '3 transcript', '4 transcript', '5 contrast'],
  ]);
  expect(kept.omittedEvidence).toBe(2);
});

test('evidence of a transcript is of the transcript, and the failure where there is none', () => {
  const message = { role: 'user', content: 'Where is my order?' };
  const [with_, without] = [
    { ...named('1'), messages: [message] },
    { ...named('2'), messages: [] },
  ];
  const { kept } = material('case_fail', [with_, without]);
  expect(kept.evidence).toMatchObject([
    { kind: 'transcript', excerpt: 'user: Where is my order?' },
    { kind: 'transcript', excerpt: 'It failed.' },
  ]);
});

test('what a judge alone says is told as its word', () => {
  const { kept } = material('case_fail', [named('1', { failedByJudge: true })]);
  expect(kept.evidence).toMatchObject([{ kind: 'judge', excerpt: 'It failed.' }]);
});

test('an excerpt holds the turn that failed, whatever stands around it, and has an end', () => {
  fc.assert(
    fc.property(
      fc.nat(20),
      fc.nat(3000),
      fc.integer({ min: 600, max: 4000 }),
      (turn, filling, length) => {
        const all = Array.from({ length: 21 }, (_, index) => [
          { role: 'user', content: `Question ${index}!` },
          { role: 'assistant', content: 'x'.repeat(filling) },
        ]).flat();
        const excerpt = excerptAround(all, turn, length);
        expect(excerpt.length).toBeLessThanOrEqual(length);
        expect(excerpt).toContain(`Question ${turn}!`);
      },
    ),
  );
});
