import { count, knownOfRun, type StatedTrialPlan } from '@proofmark/domain';
import {
  costOfTest,
  gateOfDecision,
  leftOutLines,
  ownWordsLines,
  quarantineToRender,
  renderSummary,
  runPage,
  type SuiteReadout,
  type SummaryToRender,
  testHeadline,
  waiverOf,
} from '@proofmark/report';
import { readQuarantinePlaces } from '../../data-files/quarantine-places.ts';
import { printNotice } from '../../output.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { type FetchedDecision, fetchDecision } from '../../remote/fetch-decision.ts';
import { findingLines, linesOf } from '../../remote/finding-lines.ts';
import { errorWithKeyFlag, missesGivenKey } from '../../remote/model-keys.ts';
import { type TerminalAbility, terminalAbility } from '../../remote/terminal.ts';
import { warningText } from '../../remote/warning-text.ts';
import type { LaunchedRuns } from './launched-runs.ts';
import type { ReplayService, TestConnection, TestingService } from './open-service.ts';
import { type FilesToReplay, filesPlayed, replayLines } from './replay-files.ts';
import type { SuiteToTest } from './suite-files.ts';
import { readSuiteReadout } from './suite-readout.ts';

export interface TestOptions {
  readonly model?: string;
  readonly repetitions?: number;
  readonly trials?: StatedTrialPlan;
  readonly modelApiKeys: Readonly<Record<string, string>>;
  readonly readsAll?: boolean;
  readonly record?: (suite: SuiteToTest, runId: string) => Promise<readonly string[]>;
}

/** The functions with which a test follows its runs and cancels them on Ctrl+C. */
export interface Course {
  readonly open: LaunchedRuns;
  readonly follow: (connection: TestConnection, runId: string, name: string) => Promise<unknown>;
}

export interface RecordedSuite {
  readonly files: FilesToReplay;
  readonly keep: ReplayService['keepRecorded'];
}

export interface TestedSuite {
  readonly file: string;
  readonly name: string;
  readonly runId: string;
  readonly decision: FetchedDecision;
  readonly exitCode: number;
  readonly warnings: readonly string[];
  readonly readout: SuiteReadout;
  readonly draftedPrompts: readonly string[];
}

/** `lines` contains the mistakes in a suite file. The error message contains only their number. */
export class SuiteMistakes extends UsageProblem {
  constructor(
    readonly lines: readonly string[],
    message: string,
  ) {
    super(message);
  }
}

const defaultModel = 'proofmark/lexical-1';

export async function testSuite(
  { connection, consoleUrl }: Pick<TestingService, 'connection' | 'consoleUrl'>,
  suite: SuiteToTest,
  serverIds: Record<string, string> | undefined,
  options: TestOptions,
  { open, follow }: Course,
  recorded?: RecordedSuite,
): Promise<TestedSuite> {
  const files = recorded?.files;
  const { client, projectId } = connection;
  const model = options.model ?? (suite.needsModel ? files?.model : undefined);
  const made = await importToTest(connection, suite, serverIds, model);
  const { modelApiKeys, repetitions, trials } = options;
  const kept = recorded && (await recorded.keep(made.suiteId, recorded.files.trials, repetitions));
  const played = files && kept && filesPlayed(suite, files, kept);
  const launch = () =>
    client
      .createEvalRun({
        projectId,
        body: {
          suiteId: made.suiteId,
          ...(Object.keys(modelApiKeys).length > 0 && { modelApiKeys: { ...modelApiKeys } }),
          ...(repetitions !== undefined && { iterationOverride: repetitions }),
          ...(trials && { trials }),
          ...(kept !== undefined && { replay: { ...fromFiles, runId: kept.runId } }),
        },
      })
      .catch((error: unknown) => {
        throw errorWithKeyFlag(error);
      });
  const runId = await open.during(launch, (begun) => follow(connection, begun, made.name));
  const { readsAll = false } = options;
  const decision = await fetchDecision(connection, runId, readsAll ? 'all' : 'first');
  const { run, summary } = decision;
  const { exitCode } = gateOfDecision(decision);
  const quarantine = quarantineToRender(decision, await readQuarantinePlaces(suite));
  const { projectId: ofProject } = run;
  const url = consoleUrl && runPage({ baseUrl: consoleUrl, projectId: ofProject }, runId);
  const named = { name: made.name, exitCode, url, quarantine };
  const readout = await readSuiteReadout(connection, suite, decision, named, readsAll);
  const notices = played
    ? replayLines(suite, played, decision)
    : options.record && run.status === 'completed'
      ? await options.record(suite, runId)
      : [];
  const warned = made.warnings.filter((warning) => {
    // A replay calls no model, so a warning about an unavailable model does not apply.
    if (files && warning.code === 'MODEL_NOT_AVAILABLE') return false;
    return !missesGivenKey(warning, modelApiKeys) && !isShownByRun(warning, summary);
  });
  return {
    file: suite.file,
    name: made.name,
    runId,
    decision,
    exitCode,
    readout,
    draftedPrompts: suite.draftedPrompts,
    warnings: [...warned.map(warningText), ...notices],
  };
}

/** Prints the mistakes of a suite file before the error that counts them. */
export function tellMistakes(error: unknown): never {
  if (error instanceof SuiteMistakes) for (const line of error.lines) printNotice(line);
  throw error;
}

/** `model` is the model for a suite that names none. */
export function importToTest(
  { client, projectId }: TestConnection,
  suite: SuiteToTest,
  serverIds: Record<string, string> | undefined,
  model = suite.needsModel ? defaultModel : undefined,
) {
  return client
    .importEvalSuite({
      projectId,
      body: {
        ...suite.toSend,
        ...(serverIds !== undefined && { serverIds }),
        ...(model !== undefined && { model }),
      },
    })
    .catch((error: unknown) => refuseFindings(suite.file, error));
}

/**
 * Whether the run's report repeats a warning of the import. Both name the tools in `allowWrites`
 * that no server lists.
 */
export function isShownByRun(
  { code, path }: { readonly code: string; readonly path: string },
  { leftOut }: Pick<FetchedDecision['summary'], 'leftOut'>,
): boolean {
  const isOfList = code === 'TOOL_NOT_LISTED' && /\ballowWrites\[\d+\]$/.test(path);
  return isOfList && leftOut?.unlisted !== undefined;
}

const fromFiles = { model: 'recorded', servers: 'recorded', onDivergence: 'stop' } as const;

const ownPrefix = 'proofmark: '.length;

function refuseFindings(file: string, error: unknown): never {
  const found = findingLines(error, terminalAbility().width - ownPrefix);
  if (found.amount === 0) throw error;
  throw mistakesOf(file, found);
}

function mistakesOf(file: string, { amount, lines }: ReturnType<typeof linesOf>): SuiteMistakes {
  return new SuiteMistakes(lines, `${file}: ${count(amount, 'mistake')}; nothing was run.`);
}

/**
 * Reports the mistakes of suite files before a server is asked for and before a service starts. The
 * name of the server and the model are placeholders for what the import fills in.
 */
export async function refuseMistakes(
  suites: readonly Pick<SuiteToTest, 'file' | 'toSend'>[],
): Promise<void> {
  const { parseSuiteFile } = await import('../../data-files/parse-yaml.ts');
  for (const { file, toSend } of suites) {
    const read = parseSuiteFile(toSend.content, { servers: ['server'], model: defaultModel });
    if (!('findings' in read)) continue;
    if (read.findings[0].code === 'SUITE_FILE_EMPTY') {
      throw new UsageProblem(
        `${file} is empty; write a first suite with \`proofmark init\`, or name another file.`,
      );
    }
    tellMistakes(mistakesOf(file, linesOf(read.findings, terminalAbility().width - ownPrefix)));
  }
}

/**
 * Returns the exit code for several suites: failed if any suite failed, else that of a suite
 * without a result, else passed.
 */
export function exitCodeOf(tested: readonly Pick<TestedSuite, 'exitCode'>[]): number {
  const codes = tested.map(({ exitCode }) => exitCode);
  if (codes.includes(exitCodes.failed)) return exitCodes.failed;
  return codes.find((code) => code !== exitCodes.passed) ?? exitCodes.passed;
}

export type ReportedService = Pick<TestingService, 'consoleUrl' | 'isOver'>;

export function toRender(
  { name, decision, readout }: TestedSuite,
  { consoleUrl, isOver }: ReportedService,
): SummaryToRender {
  const { run, summary, calls, surface, isAll } = decision;
  const options = {
    listsPassed: true,
    ...knownOfRun(run, isAll),
    calls,
    surface,
    title: name,
    headline: testHeadline(summary, costOfTest(readout), readout.quarantine),
    quarantine: readout.quarantine,
    waiver: waiverOf(run),
    caseTitles: run.caseTitles,
    judges: run.judges,
    ...(consoleUrl
      ? { console: { baseUrl: consoleUrl, projectId: run.projectId } }
      : { namesTraces: !isOver }),
  };
  return { summary, options };
}

/** If the service ends with the test, the text explains how to see the run afterwards. */
export function testedText(
  tested: TestedSuite,
  service: ReportedService,
  terminal: TerminalAbility,
): string {
  const { consoleUrl, isOver } = service;
  const { runId, decision } = tested;
  const { summary, options } = toRender(tested, service);
  // Left-out cases and tools are printed once, below all suites. Each suite shows only its tools
  // that no server lists, as a warning.
  const { leftOut, ...others } = summary;
  const shown = leftOut?.unlisted ? { ...others, leftOut: { unlisted: leftOut.unlisted } } : others;
  const text = renderSummary(shown as typeof summary, {
    format: 'text',
    terse: !consoleUrl,
    ...options,
    ...terminal,
    namesPage: false,
  });
  if (!consoleUrl) return text;
  const console = { baseUrl: consoleUrl, projectId: decision.run.projectId };
  const start = isOver ? 'Look at it: start `proofmark serve`, then open' : 'Look at it:';
  return `${text}\n${start}\n${runPage(console, runId)}\n`;
}

export function belowVerdict(tested: readonly TestedSuite[], width: number): string[] {
  const leftOut = tested.flatMap(({ decision }) => {
    const { cases, tools } = decision.summary.leftOut ?? {};
    return [
      ...(tools?.items ?? []).map(({ toolName, reason }) => ({
        name: toolName,
        reason: `held for writing: ${reason}`,
      })),
      ...(cases?.titles ?? []).map((name) => ({ name, reason: 'disabled' })),
    ];
  });
  const prompts = tested.flatMap(({ draftedPrompts }) => draftedPrompts);
  return [...leftOutLines(leftOut, width), ...ownWordsLines(prompts, width)];
}
