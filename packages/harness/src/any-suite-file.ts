/** Arbitrary valid suite files, for tests that must pass for all of them. */

import { type Json, SuiteFile } from '@proofmark/domain';
import fc from 'fast-check';

const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength }),
      fc.constantFrom(
        'yes',
        '1',
        'null',
        ' x ',
        'a\nb\n',
        'a: b',
        '- a',
        '# a',
        '"',
        "'",
        '~',
        '0x1F',
      ),
    )
    .map((one) => one.slice(0, maxLength))
    .filter((one) => one.isWellFormed() && !one.includes('\0') && one.trim() !== '');
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a name must not hold.
const line = text(20).filter((one) => !/[\u0000-\u001f\u007f]/.test(one));
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const json = fc
  .dictionary(
    text(8).filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }).filter(isKeepable),
    { noNullPrototype: true },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const trials = fc.integer({ min: 1, max: 100 });
const some = <Fields extends object>(
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) => fc.record(fields, { requiredKeys: [] });

const assertion = fc.oneof(
  fc.record({ type: fc.constant('responseContains'), needle: text(10) }),
  fc.record({ type: fc.constant('noToolErrors'), role: fc.constant('advisory') }),
  fc.record({
    type: fc.constant('toolCalledWith'),
    toolName: text(8),
    args: fc.record({ args: json }),
  }),
);
const elicitations = fc.array(
  fc.oneof(
    fc.record({ action: fc.constant('accept'), content: fc.record({ name: text(8) }) }),
    fc.record({ message: text(8), action: fc.constantFrom('decline', 'cancel') }),
  ),
  { maxLength: 2 },
);
const timeLimit = fc.integer({ min: 1, max: 600_000 });
const aroundCalls = fc
  .array(fc.record({ serverName: line, toolName: text(8), arguments: json }), { maxLength: 3 })
  .map((calls) => calls.map((one, at) => ({ id: `call-${at}`, kind: 'toolCall', ...one })));
const around = {
  before: aroundCalls,
  beforeTimeoutMs: fc.integer({ min: 1, max: 120_000 }),
  after: aroundCalls,
  afterTimeoutMs: fc.integer({ min: 1, max: 120_000 }),
};
const step = fc.oneof(
  fc.record(
    {
      kind: fc.constant('prompt'),
      prompt: fc.oneof(fc.constant(''), text(30)),
      elicitations,
      timeoutMs: timeLimit,
    },
    { requiredKeys: ['kind', 'prompt'] },
  ),
  fc.record(
    {
      kind: fc.constant('getPrompt'),
      serverName: line,
      promptName: text(8),
      arguments: fc.record({ name: text(8) }),
    },
    { requiredKeys: ['kind', 'serverName', 'promptName'] },
  ),
  fc.record({ kind: fc.constant('readResource'), serverName: line, uri: text(8) }),
  fc.record({
    kind: fc.constant('toolCall'),
    serverName: line,
    toolName: text(8),
    arguments: json,
  }),
  fc.record({ kind: fc.constant('assert'), assertion }),
);
const steps = fc
  .array(step, { minLength: 1, maxLength: 4 })
  .map((list) => list.map((one, index) => ({ id: `s${index}`, ...one })));

const parameters = {
  temperature: fraction,
  topP: fraction,
  maxTokens: fc.integer({ min: 1, max: 1_000_000 }),
  seed: fc.nat(1000),
  reasoningEffort: fc.constantFrom('minimal', 'high'),
};

const oneCase = (counted: string) =>
  fc.record(
    {
      id,
      title: text(20),
      steps,
      assertions: fc.array(assertion, { maxLength: 3 }),
      expectedOutput: text(20),
      isNegativeTest: fc.boolean(),
      model: text(10),
      advancedConfig: some({ system: text(10), ...parameters }),
      [counted]: trials,
      passThreshold: fraction,
      elicitations,
      timeoutMs: timeLimit,
      ...around,
      disabled: fc.boolean(),
      import: fc.record({
        status: fc.constantFrom('exact', 'approximated', 'unsupported', 'unresolved'),
        note: text(10),
      }),
    },
    { requiredKeys: ['id', 'title', 'steps'] },
  );

const planned = (stated: object): object => {
  const { repetitions: _, iterations: _alike, passThreshold: _score, ...rest } = stated as Json;
  return { ...rest, trials: { healthyRate: 0.9, drop: 0.2, look: 4 } };
};

export const anySuiteFile: fc.Arbitrary<SuiteFile> = fc
  .constantFrom(['1', 'repetitions'] as const, ['2', 'iterations'] as const)
  .chain(([schemaVersion, counted]) =>
    fc.record({
      schemaVersion: fc.constant(schemaVersion),
      mode: fc.constant('agentWorkflow'),
      reportingMode: fc.constant('standard'),
      suite: fc.record(
        { id: text(12), name: line, description: text(30) },
        { requiredKeys: ['id', 'name'] },
      ),
      target: fc.record(
        {
          servers: fc.array(fc.record({ name: line, id }, { requiredKeys: ['name'] }), {
            minLength: 1,
            maxLength: 3,
          }),
          environment: text(10),
        },
        { requiredKeys: ['servers'] },
      ),
      defaults: fc.record(
        {
          model: text(10),
          provider: text(10),
          ...parameters,
          [counted]: trials,
          passThreshold: fraction,
          validity: some({
            minEligibleTrials: trials,
            minCompletionRate: fraction,
            maxEvaluatorErrorRate: fraction,
          }),
          toolPolicy: fc.record(
            {
              mode: fc.constantFrom('default', 'readOnly'),
              allow: fc.array(text(8)),
              deny: fc.array(text(8)),
            },
            { requiredKeys: ['mode'] },
          ),
          allowWrites: fc.array(text(8), { maxLength: 3 }),
          sessions: fc.constantFrom('trial', 'run'),
          captureLevel: fc.constant('full'),
        },
        { requiredKeys: ['model', counted, 'passThreshold', 'validity'] as never },
      ),
      provenance: fc.record(
        {
          sourceHash: text(8),
          sourceFormat: text(8),
          reportHash: text(8),
          sourceFormatVersion: fc.oneof(text(8), fc.nat(9)),
          converter: text(8),
          converterVersion: text(8),
          model: text(8),
          discoverySnapshotHash: text(8),
          importedAt: fc.oneof(text(8), fc.nat()),
        },
        { requiredKeys: ['sourceHash', 'sourceFormat', 'reportHash'] },
      ),
      cases: fc.uniqueArray(oneCase(counted), {
        minLength: 1,
        maxLength: 4,
        selector: (one) => one['id'],
      }),
    }),
  )
  .chain((file) =>
    fc.record({ suite: fc.boolean(), first: fc.boolean() }).map((isPlanned) => ({
      ...file,
      defaults: isPlanned.suite ? planned(file.defaults) : file.defaults,
      cases: file.cases.map((one, index) => (isPlanned.first && index === 0 ? planned(one) : one)),
    })),
  )
  .map((file) => SuiteFile.parse(file));

function isKeepable(value: unknown): boolean {
  const spelled = JSON.stringify(value);
  return !/\\ud[89a-f]|\\u0000|__proto__/i.test(spelled);
}
