/**
 * Turns a parsed suite file into a suite. A case gets exactly the assertions in the file. The
 * file's target is stored unchanged, so that an export reproduces the file.
 */

import type { Assertion } from '../assertions/assertion.ts';
import type { StatedQuarantine } from '../gates/quarantine-entry.ts';
import { quarantineFromFile } from '../gates/quarantine-of-file.ts';
import { statedParameters } from '../models/model-parameters.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { statedSetup } from './setup-and-teardown.ts';
import type { SuiteDefinition } from './suite-definition.ts';
import type { SuiteFile, SuiteFileCase } from './suite-file.ts';

export interface SuiteFromFile {
  readonly name: string;
  readonly description: string | null;
  readonly definition: SuiteDefinition;
  readonly cases: readonly EvalCaseDefinition[];
  readonly quarantine: readonly StatedQuarantine[];
}

export function suiteFromFile(file: SuiteFile): SuiteFromFile {
  const { suite, target, defaults } = file;
  const { model, provider, passThreshold, validity, toolPolicy, captureLevel } = defaults;
  const { allowWrites, sessions, recordings, replayIgnore, trials, quarantineShare } = defaults;
  const repetitions =
    'iterations' in defaults
      ? defaults.iterations
      : (defaults as { repetitions?: number }).repetitions;
  return {
    name: suite.name,
    description: suite.description ?? null,
    definition: definedFields<SuiteDefinition>({
      declaredId: suite.id,
      mode: file.mode === 'serverContract' ? file.mode : undefined,
      model,
      provider,
      ...statedParameters(defaults),
      settings: definedFields({
        verdictPolicyDefaults: definedFields({ repetitions, passThreshold, trials, validity }),
        toolPolicy,
        allowWrites,
        sessions,
        recordings,
        replayIgnore,
        quarantineShare,
        ...statedSetup(defaults),
      }),
      file: definedFields({
        schemaVersion: file.schemaVersion,
        servers: target.servers,
        environment: target.environment,
        captureLevel,
        provenance: file.provenance,
      }),
    }),
    cases: file.cases.map((one) => caseFromFile(one, limitsOf(defaults))),
    quarantine: (file.quarantine ?? []).map(quarantineFromFile),
  };
}

function limitsOf({ maximumSurfaceTokens, maximumResultTokens }: SuiteFile['defaults']) {
  const limits: Assertion[] = [];
  if (maximumSurfaceTokens !== undefined) {
    limits.push({ type: 'maximumSurfaceTokens', tokens: maximumSurfaceTokens });
  }
  if (maximumResultTokens !== undefined) {
    limits.push({ type: 'maximumResultTokens', tokens: maximumResultTokens });
  }
  return limits;
}

function checksOf(
  assertions: readonly Assertion[] | undefined,
  limits: readonly Assertion[],
): EvalCaseDefinition['checks'] {
  const inherited = limits.filter(
    ({ type }) => !assertions?.some((own) => isLimitOfAll(own, type)),
  );
  const list = [...(assertions ?? []), ...inherited];
  return assertions === undefined && inherited.length === 0 ? undefined : { mode: 'replace', list };
}

function isLimitOfAll(own: Assertion, type: Assertion['type']): boolean {
  return own.type === type && !('serverName' in own) && !('toolName' in own);
}

function caseFromFile(one: SuiteFileCase, limits: readonly Assertion[]): EvalCaseDefinition {
  return definedFields<EvalCaseDefinition>({
    title: one.title,
    declaredId: one.id,
    steps: one.steps,
    expectedOutput: one.expectedOutput,
    iterations:
      'iterations' in one ? one.iterations : (one as { repetitions?: number }).repetitions,
    isNegative: one.isNegativeTest,
    models: one.model === undefined ? undefined : [{ model: one.model }],
    advancedConfig: one.advancedConfig,
    checks: checksOf(one.assertions, limits),
    passThreshold: one.passThreshold,
    trials: one.trials,
    elicitations: one.elicitations,
    timeoutMs: one.timeoutMs,
    data: one.data && dataFromFile(one.data),
    ...statedSetup(one),
    disabled: one.disabled,
    import: one.import,
  });
}

/** Rows of a separate data file are already in `rows` here. */
function dataFromFile({ key, rows = [], sample }: NonNullable<SuiteFileCase['data']>) {
  return { key, rows, ...(sample !== undefined && { sample }) };
}

function definedFields<Value extends object>(
  value: {
    readonly [Field in keyof Value]: Value[Field] | undefined;
  },
): Value {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Value;
}
