/**
 * Writes a suite as a file; the same suite always gives the same file. Each case gets all its
 * assertions, whether the case or the suite states them. Settings that a file cannot express are
 * left out with a warning. A suite that cannot be expressed at all is refused.
 */
import type { StatedQuarantine } from '../gates/quarantine-entry.ts';
import { quarantineToFile } from '../gates/quarantine-of-file.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { statedParameters } from '../models/model-parameters.ts';
import { maxDistinctCases } from '../verdict/decision.ts';
import { defaultPassThreshold } from '../verdict/resolve-policy.ts';
import { effectiveChecks } from './effective-checks.ts';
import { type EvalCaseDefinition, maxCaseAssertions } from './eval-case.ts';
import { hasData } from './fill-case.ts';
import { isContract } from './server-contract.ts';
import { statedSetup } from './setup-and-teardown.ts';
import type { SuiteDefinition } from './suite-definition.ts';
import type { SuiteFile } from './suite-file.ts';
import { escapeTemplates } from './template-text.ts';

export interface SuiteToWrite {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly definition: SuiteDefinition;
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly environments: readonly string[];
  readonly hasUnnamedEnvironments?: boolean;
  readonly hosts: readonly unknown[];
  readonly tags: readonly string[];
  readonly schedule: { readonly enabled: boolean };
  readonly cases: readonly { readonly id: string; readonly definition: EvalCaseDefinition }[];
  /** The quarantine entries of the suite's file. */
  readonly quarantine?: readonly StatedQuarantine[];
}

export function fileFromSuite(
  suite: SuiteToWrite,
):
  | { readonly file: SuiteFile; readonly warnings: readonly string[] }
  | { readonly refusal: Refusal } {
  const file = spellSuite(suite);
  const problem = problemOf(suite, Object.keys(file.target).length > 0);
  return problem === undefined ? { file, warnings: warningsOf(suite) } : { refusal: problem };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of the fields of a file; optional ones are left out where the suite does not state them.
export function spellSuite(suite: SuiteToWrite): SuiteFile {
  const { definition, cases, quarantine = [] } = suite;
  const { settings, file } = definition;
  const defaults = settings.verdictPolicyDefaults ?? {};
  const servers = file?.servers ?? suite.servers.map(({ id, name }) => ({ name, id }));
  const environment = file?.environment ?? suite.environments[0];
  const version = file?.schemaVersion ?? '1';
  const counted = version === '1' ? 'repetitions' : 'iterations';
  const written = {
    schemaVersion: version,
    mode: definition.mode ?? 'agentWorkflow',
    reportingMode: 'standard',
    suite: {
      id: definition.declaredId ?? suite.id,
      name: suite.name,
      ...(suite.description !== null && { description: suite.description }),
    },
    target: {
      ...(servers.length > 0 && { servers }),
      ...(environment !== undefined && { environment }),
    },
    defaults: {
      ...(definition.model !== undefined && { model: definition.model }),
      ...(definition.provider !== undefined && { provider: definition.provider }),
      ...statedParameters(definition),
      ...(defaults.trials
        ? { trials: defaults.trials }
        : {
            [counted]: defaults.repetitions ?? settings.minimumIterations ?? 1,
            passThreshold: defaults.passThreshold ?? defaultPassThreshold,
          }),
      validity: defaults.validity ?? {},
      ...(settings.toolPolicy && { toolPolicy: settings.toolPolicy }),
      ...(settings.allowWrites && { allowWrites: settings.allowWrites }),
      ...(settings.sessions && { sessions: settings.sessions }),
      ...(settings.recordings && { recordings: settings.recordings }),
      ...(settings.replayIgnore && { replayIgnore: settings.replayIgnore }),
      ...(settings.quarantineShare !== undefined && { quarantineShare: settings.quarantineShare }),
      ...statedSetup(settings),
      ...(file?.captureLevel && { captureLevel: file.captureLevel }),
    },
    ...(quarantine.length > 0 && { quarantine: quarantine.map(quarantineToFile) }),
    ...(file?.provenance && { provenance: file.provenance }),
    cases: cases.map(({ id, definition: one }) => writeCase(id, one, definition, counted)),
  };
  return written as SuiteFile;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of the fields of a case; optional ones are left out where the case does not state them.
function writeCase(
  id: string,
  one: EvalCaseDefinition,
  { settings, file }: SuiteDefinition,
  counted: 'repetitions' | 'iterations',
) {
  // Braces in the suite's assertions are plain text, but in a case with data they would become
  // templates.
  const ofSuite = hasData(one) ? settings.checks?.map(escapeTemplates) : settings.checks;
  const assertions = effectiveChecks({
    suite: ofSuite,
    case: one.checks,
    steps: one.steps,
  });
  const isOwn = one.checks?.mode === 'replace' && one.checks.list !== undefined;
  const [first] = one.models ?? [];
  return {
    id: one.declaredId ?? id,
    title: one.title,
    steps: one.steps,
    ...((isOwn || assertions.length > 0) && { assertions }),
    ...(one.expectedOutput !== undefined && { expectedOutput: one.expectedOutput }),
    ...(one.isNegative !== undefined && { isNegativeTest: one.isNegative }),
    ...(first && { model: first.model }),
    ...(one.advancedConfig !== undefined && { advancedConfig: one.advancedConfig }),
    ...(one.iterations !== undefined && { [counted]: one.iterations }),
    ...(one.passThreshold !== undefined && { passThreshold: one.passThreshold }),
    ...(one.trials !== undefined && { trials: one.trials }),
    ...(one.elicitations !== undefined && { elicitations: one.elicitations }),
    ...(one.timeoutMs !== undefined && { timeoutMs: one.timeoutMs }),
    ...(one.data !== undefined && { data: one.data }),
    ...statedSetup(one),
    ...(one.disabled !== undefined && { disabled: one.disabled }),
    ...(one.import && file?.provenance && { import: one.import }),
  };
}

function problemOf(suite: SuiteToWrite, hasTarget: boolean): Refusal | undefined {
  const { cases, definition } = suite;
  if (cases.length === 0)
    return refused('This suite has no authored case; a suite file needs at least one.');
  if (cases.length > maxDistinctCases) {
    return refused(`A suite file has at most ${maxDistinctCases} cases.`);
  }
  if (definition.model === undefined && !isContract(definition)) {
    return refused('This suite has no model; set executionConfig.model first.');
  }
  if (!hasTarget) return refused('This suite has no server and no environment; give it one first.');
  const crowded = cases.find(
    ({ definition: one }) =>
      effectiveChecks({
        suite: definition.settings.checks,
        case: one.checks,
        steps: one.steps,
      }).length > maxCaseAssertions,
  );
  return (
    crowded &&
    refused(
      `The case ${JSON.stringify(crowded.definition.title)} has more than ${maxCaseAssertions} checks, including those of the suite.`,
    )
  );
}

function refused(message: string): Refusal {
  return { code: 'CONFLICT', message, details: { reason: 'SUITE_NOT_EXPORTABLE' } };
}

function warningsOf({ definition, ...suite }: SuiteToWrite): string[] {
  const { settings } = definition;
  const lost: [string, boolean][] = [
    ['executionConfig.systemPrompt', definition.systemPrompt !== undefined],
    ['settings.minimumAccuracy', settings.minimumAccuracy !== undefined],
    ['settings.minimumIterations', settings.minimumIterations !== undefined],
    ['settings.matchOptions', settings.matchOptions !== undefined],
    ['settings.judge', settings.judge !== undefined],
    ['hosts', suite.hosts.length > 0],
    ['tags', suite.tags.length > 0],
    ['the schedule', suite.schedule.enabled],
    ['all environments except the first', suite.environments.length > 1],
    ['environments without a name', suite.hasUnnamedEnvironments === true],
  ];
  const ofCases = suite.cases.flatMap(({ definition: one }) => {
    const fields: [string, boolean][] = [
      ['scenario', one.scenario !== undefined],
      ['matchOptions', one.matchOptions !== undefined],
      ['failOnToolError', one.failOnToolError !== undefined],
      ['all models except the first', (one.models?.length ?? 0) > 1],
      ['the provider of the model', one.models?.[0]?.provider !== undefined],
    ];
    return named(fields).map((field) =>
      noPlace(`${field} of the case ${JSON.stringify(one.title)}`),
    );
  });
  return [...named(lost).map(noPlace), ...ofCases];
}

function noPlace(field: string): string {
  return `The file format has no place for ${field}; importing the file into this suite keeps the stored value.`;
}

function named(fields: readonly [string, boolean][]): string[] {
  return fields.flatMap(([name, isSet]) => (isSet ? [name] : []));
}
