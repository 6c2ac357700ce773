/**
 * Warnings for authors and launchers of cases: cases that assert nothing, assertions about unlisted
 * tools, negative tests that could not call a tool, and cases that need a widget where none can be
 * rendered. A disabled case gets no warnings. For a case with data, the first row is checked.
 */
import { resolveMatchOptions } from '../assertions/match-options.ts';
import { type LocatedAssertion, locatedAssertions, namedTools } from './asserted-tools.ts';
import {
  assertsNothing,
  hasExpectedOutput,
  type MeasuredCase,
  type MeasuringContext,
} from './asserts-nothing.ts';
import { canFail } from './can-fail.ts';
import { effectiveChecks } from './effective-checks.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { exampleOf } from './fill-case.ts';
import { isKnownNotToList, isNotListed, type ListedServers, meantTool } from './listed-tools.ts';
import { needsWidget } from './project-steps.ts';
import type { SetupPart, StatedSetup } from './setup-and-teardown.ts';
import type { ToolCallStep } from './step.ts';
import type { SuiteSettings, ToolPolicy } from './suite-definition.ts';
import { type WhyNoCall, whyNoCall } from './why-no-call.ts';

export const caseWarningCodes = [
  'CASE_ASSERTS_NOTHING',
  'TOOL_NOT_LISTED',
  'NEGATIVE_WITHOUT_TOOLS',
  'WIDGETS_NOT_TESTED_HERE',
  'CALL_REFUSED_BY_POLICY',
  'RERUN_CASE_GONE',
  'MODEL_NOT_AVAILABLE',
] as const;

export interface CaseWarning {
  readonly path: string;
  readonly code: (typeof caseWarningCodes)[number];
  readonly message: string;
}

export interface CaseToWarnOf {
  /** The path of the case in the request, for example `body.tests[0]`. */
  readonly path: string;
  readonly definition: EvalCaseDefinition;
  /** The path of the case's own assertions (default: `checks.list`). */
  readonly checksName?: 'checks.list' | 'assertions' | undefined;
  /** The path of the case's models (default: `models`). */
  readonly modelsName?: 'models' | 'model' | 'provider' | undefined;
}

export function checksPathOf({ path, checksName = 'checks.list' }: CaseToWarnOf): string {
  return `${path}.${checksName}`;
}

export const mostWarnings = 100;

/**
 * The path of the suite's settings. It begins with `body` if the settings are part of the request,
 * but not for a stored suite.
 */
export type SettingsPath = 'body.settings' | 'settings';

/** Returns each warning once, in the order of the cases. */
export function warnOfCases(
  cases: readonly CaseToWarnOf[],
  settings: SuiteSettings,
  servers: ListedServers,
  {
    settingsPath = 'settings',
    noWidgets,
  }: {
    readonly settingsPath?: SettingsPath | undefined;
    /** The reason why widgets cannot be rendered where trials run; null if they can. */
    readonly noWidgets: string | null;
  },
): CaseWarning[] {
  const context = { isJudged: isJudged(settings), servers, noWidgets };
  const warnings = new Map<string, CaseWarning>();
  for (const one of cases) {
    if (one.definition.disabled === true) continue;
    const example = { ...one, definition: exampleOf(one.definition) };
    for (const warning of warnOfCase(example, settings, context, settingsPath)) {
      warnings.set(`${warning.code} ${warning.path} ${warning.message}`, warning);
      if (warnings.size === mostWarnings) return [...warnings.values()];
    }
  }
  return [...warnings.values()];
}

function isJudged({ judge }: SuiteSettings): boolean {
  return judge?.enabled === true && judge.autoRun === true;
}

function warnOfCase(
  stated: CaseToWarnOf,
  settings: SuiteSettings,
  context: MeasuringContext & { readonly noWidgets: string | null },
  settingsPath: SettingsPath,
): CaseWarning[] {
  const { path, definition } = stated;
  const one = measuredCase(definition, settings);
  const title = JSON.stringify(definition.title);
  const pathOf = paths(stated, settings, settingsPath);
  const negative = one.isNegative ? whyNoCall(one, context.servers) : undefined;
  const warnings: CaseWarning[] = [];
  if (negative !== undefined) {
    const message = `The case ${title} expects no tool call, but ${noCallReasons[negative]}, so it cannot fail.`;
    warnings.push({ path, code: 'NEGATIVE_WITHOUT_TOOLS', message });
  } else if (assertsNothing(one, context)) {
    const message = `The case ${title} asserts nothing: ${whyNothing(one, context)}.`;
    warnings.push({ path, code: 'CASE_ASSERTS_NOTHING', message });
  }
  for (const located of locatedAssertions(one)) {
    warnings.push(...warnOfTools(located, pathOf(located), context.servers));
  }
  for (const [index, step] of one.steps.entries()) {
    if (step.kind !== 'toolCall' || !isKnownNotToList(step, context.servers)) continue;
    warnings.push(unlistedCall(step, `${path}.steps[${index}]`, context.servers));
  }
  const { toolPolicy } = settings;
  warnings.push(
    ...warnOfSetupAndTeardown({ path, stated: definition, toolPolicy }, context.servers),
  );
  // The path of the suite's settings is the same for every case, so the warning appears only once.
  warnings.push(
    ...warnOfSetupAndTeardown(
      { path: settingsPath, stated: settings, toolPolicy },
      context.servers,
    ),
  );
  if (context.noWidgets !== null && needsWidget(one)) {
    const message = `The case ${title} needs a widget to be rendered, which this service cannot do: its trials end as setup_failed. ${context.noWidgets}`;
    warnings.push({ path: pathOfWidget(one, path), code: 'WIDGETS_NOT_TESTED_HERE', message });
  }
  return warnings;
}

function warnOfTools(
  { assertion }: LocatedAssertion,
  path: string,
  servers: MeasuringContext['servers'],
): CaseWarning[] {
  return namedTools(assertion)
    .filter((tool) => isNotListed(tool, servers))
    .map(({ serverName, toolName }) => {
      const server = serverName === undefined ? '' : ` ${JSON.stringify(serverName)}`;
      const meant = meantTool({ toolName, serverName }, servers);
      const message = `No server${server} lists a tool ${JSON.stringify(toolName)}${meant}`;
      return { path, code: 'TOOL_NOT_LISTED', message };
    });
}

/**
 * Returns the path of the step that needs a widget. If none does, an assertion about the whole case
 * needs it, so the case's path is returned.
 */
function pathOfWidget({ steps }: MeasuredCase, path: string): string {
  const index = steps.findIndex((step) => needsWidget({ steps: [step], assertions: [] }));
  return index < 0 ? path : `${path}.steps[${index}]`;
}

function measuredCase(definition: EvalCaseDefinition, settings: SuiteSettings): MeasuredCase {
  const { steps, expectedOutput, advancedConfig } = definition;
  return {
    steps,
    assertions: effectiveChecks({ suite: settings.checks, case: definition.checks, steps }),
    isNegative: definition.isNegative === true,
    matchOptions: resolveMatchOptions(settings.matchOptions, definition.matchOptions),
    failOnToolError: definition.failOnToolError !== false,
    ...(expectedOutput !== undefined && { expectedOutput }),
    ...(advancedConfig?.toolChoice !== undefined && { toolChoice: advancedConfig.toolChoice }),
  };
}

/**
 * Returns a function for the paths of assertions. A suite's assertion has the same path for every
 * case, so its warning appears only once.
 */
function paths(one: CaseToWarnOf, settings: SuiteSettings, settingsPath: SettingsPath) {
  const own: readonly unknown[] = one.definition.checks?.list ?? [];
  const ofSuite: readonly unknown[] = settings.checks ?? [];
  return ({ location, assertion }: LocatedAssertion): string => {
    if ('step' in location) return `${one.path}.steps[${location.step}].assertion`;
    const index = ofSuite.indexOf(assertion);
    return index >= 0
      ? `${settingsPath}.checks[${index}]`
      : `${checksPathOf(one)}[${own.indexOf(assertion)}]`;
  };
}

const noCallReasons: Readonly<Record<WhyNoCall, string>> = {
  noPrompt: 'no step asks a model',
  noToolChoice: 'its toolChoice is none',
  noTools: 'no server lists a tool',
};

function whyNothing(one: MeasuredCase, { servers }: MeasuringContext): string {
  const stated = locatedAssertions(one);
  const noCall = whyNoCall(one, servers);
  const idle = stated.filter(({ assertion }) => !canFail(assertion, one, servers));
  if (idle.length > 0) {
    if (
      idle.some(({ assertion }) => !('type' in assertion && assertion.type === 'toolNeverCalled'))
    )
      return 'its checks cannot fail; add a check that can fail';
    if (noCall !== undefined) {
      return `${noCallReasons[noCall]}, so a check that a tool is never called cannot fail; add a check that can fail`;
    }
    return 'a check that an unlisted tool is never called cannot fail; add a check that can fail';
  }
  if (stated.length > 0) return 'all its checks are advisory; add a check that is not advisory';
  if (hasExpectedOutput(one)) {
    return 'no judge compares answers with its expectedOutput; switch autoRun of the judge on, or add a check';
  }
  if (noCall !== undefined && one.matchOptions.maxExtraToolCalls !== null) {
    return `${noCallReasons[noCall]}, so a bound on calls cannot fail; add a check`;
  }
  return 'every trial that ends without an error passes; add a check';
}

/**
 * A warning about a setup or teardown call that would fail in every trial: the tool policy rejects
 * the call, or no server lists the tool.
 */
interface CallWarning {
  readonly path: string;
  readonly code: 'CALL_REFUSED_BY_POLICY' | 'TOOL_NOT_LISTED';
  readonly message: string;
}

function warnOfSetupAndTeardown(
  {
    path,
    stated,
    toolPolicy,
  }: {
    readonly path: string;
    readonly stated: StatedSetup;
    readonly toolPolicy: ToolPolicy | undefined;
  },
  servers: ListedServers,
): CallWarning[] {
  return parts.flatMap((part) =>
    (stated[part] ?? []).flatMap((call, index): CallWarning[] => {
      const at = `${path}.${part}[${index}]`;
      if (toolPolicy?.deny?.includes(call.toolName) === true) {
        const message = `The tool policy of the suite denies ${JSON.stringify(call.toolName)}, so ${consequences[part]}.`;
        return [{ path: at, code: 'CALL_REFUSED_BY_POLICY', message }];
      }
      return isKnownNotToList(call, servers) ? [unlistedCall(call, at, servers)] : [];
    }),
  );
}

function unlistedCall(
  { serverName, toolName }: ToolCallStep,
  path: string,
  servers: ListedServers,
): CallWarning {
  const meant = meantTool({ toolName, serverName }, servers);
  const message = `The server ${JSON.stringify(serverName)} lists no tool ${JSON.stringify(toolName)}${meant}`;
  return { path: `${path}.toolName`, code: 'TOOL_NOT_LISTED', message };
}

const parts = ['before', 'after'] as const;

const consequences: Readonly<Record<SetupPart, string>> = {
  before: 'its trials end as setup_failed',
  after: 'no trial is cleaned up',
};
