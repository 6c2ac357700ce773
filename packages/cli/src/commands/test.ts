/**
 * `proofmark test` runs suite files on a running service or on one that it starts. Its exit code
 * reflects the verdict.
 */
import { type ChangedPin, changedPinsWords } from '@proofmark/report';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printLine, printNotice, printSentence } from '../output.ts';
import { remotely } from '../remote/connection.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import { modelKeyFlag, readModelKeys } from '../remote/model-keys.ts';
import { terminalAbility } from '../remote/terminal.ts';
import {
  readTrialPlan,
  type TrialPlanFlags,
  withTrialPlanFlags,
} from '../remote/trial-plan-flags.ts';
import { askAll } from '../trust/require-trust.ts';
import { readTrialsPerCase } from './eval/run.ts';
import { reportChangedPins } from './lint/changed-pins.ts';
import { warnOfServerJson } from './lint/lint-server-json.ts';
import {
  type ChosenServers,
  chosenServers,
  type ServerFlags,
  withServerFlags,
} from './test/chosen-servers.ts';
import { followTest } from './test/follow-test.ts';
import { LaunchedRuns } from './test/launched-runs.ts';
import {
  type OwnService,
  openToTest,
  refuseKeepingNothing,
  refuseProgram,
  type ServiceFlags,
  type TestingService,
  withSettingsFlag,
} from './test/open-service.ts';
import { recordFiles, refuseLinks } from './test/record-files.ts';
import {
  bindRecorded,
  type RecordingFlags,
  readFilesToReplay,
  refuseBesideRecordings,
} from './test/replay-files.ts';
import { bindSuite, serverSaver } from './test/saved-servers.ts';
import { serversForSuites } from './test/server-choice.ts';
import type { SuiteToTest } from './test/suite-files.ts';
import { agreeToScorers, readSuiteToTest, suiteFilesOf } from './test/suite-files.ts';
import {
  makeReportFolders,
  printSuiteJson,
  type ReportFlags,
  readSuiteAfterJson,
  refuseReports,
  reportFiles,
  sumLine,
  takesOutput,
  wantsReports,
  withReportFlags,
  writeReports,
} from './test/test-reports.ts';
import {
  belowVerdict,
  type Course,
  exitCodeOf,
  refuseMistakes,
  type TestedSuite,
  type TestOptions,
  tellMistakes,
  testedText,
  testSuite,
} from './test/test-suite.ts';
import { untilInterrupted } from './test/until-interrupted.ts';
import { watchAndTest } from './test/watch-and-test.ts';

interface Flags extends ServerFlags, ServiceFlags, RecordingFlags, ReportFlags, TrialPlanFlags {
  readonly model?: string;
  readonly repetitions?: number;
  readonly watchPath?: string;
  /** False if `--no-widgets` was given. */
  readonly widgets?: boolean;
}

export function testCommand(own?: OwnService): Command {
  const command = withServerFlags(
    withTrialPlanFlags(new Command('test'))
      .description('run suite files against a server and exit with their verdict')
      .argument(
        '[suites...]',
        'suite files (default: *.suite.yaml and proofmark/*.yaml of this folder)',
      ),
  )
    .option('--model <model>', 'the model, in place of that of the suites')
    .option('--repetitions <number>', 'trials of every case (1 to 100)', readTrialsPerCase)
    .option(...modelKeyFlag)
    .option('--record', 'write recordings of the trials to files beside each suite')
    .option('--replay', 'replay those files without a server, a model, a key or a network')
    .option(
      '--watch',
      'test again after each change of a suite or of the server’s files, until Ctrl+C',
    )
    .option(
      '--watch-path <folder>',
      'folder of the server’s files (default: the folder of the script)',
    )
    .option('--url <url>', 'address of a service (default: PROOFMARK_URL, or this folder)')
    .option('--project <id or name>', 'the project (default: PROOFMARK_PROJECT, or the only one)')
    .action((files: string[], flags: Flags) => remotely(() => test(files, flags, own)));
  withReportFlags(command);
  if (own !== undefined) {
    withSettingsFlag(command.option(...keepFlag).option(...ephemeralFlag)).option(
      '--no-widgets',
      'start no browser; trials with widgets are not measured',
    );
  }
  return withExamples(
    command,
    'proofmark test --server-command "node server.js"',
    'proofmark test weather.suite.yaml --server http://127.0.0.1:8080/mcp',
    'proofmark test --replay   as recorded with --record before',
    'proofmark test --from .vscode/mcp.json --watch   again at every change',
  );
}

const keepFlag = [
  '--keep',
  'keep the runs in .proofmark (default: if that folder exists, or a data directory is named)',
] as const;
const ephemeralFlag = ['--ephemeral', 'keep no data after the test'] as const;

async function test(
  words: readonly string[],
  given: Flags,
  own: OwnService | undefined,
): Promise<number> {
  const { named, flags } = readSuiteAfterJson(words, given);
  refuseProgram(flags, own);
  refuseKeepingNothing(flags);
  refuseBesideRecordings(flags, own !== undefined);
  const trials = planOfTest(flags);
  refuseReports(flags);
  makeReportFolders(reportFiles(flags));
  const files = suiteFilesOf(named);
  const chosen = await chosenServers(flags);
  const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
  const suites = await readSuites(files, flags);
  if (flags.replay && own) return replay(suites, flags, own);
  await warnOfServerJson(flags.from ?? flags.config);
  const serversFor = serversForSuites(chosen, flags, own !== undefined);
  await askAll(suites, async (suite) => {
    // Checks that need no service run first. The user then sees their problems before a service is
    // started.
    if (flags.record) refuseLinks(suite.file);
    const servers = await serversFor(suite);
    await bindSuite(suite, servers, servers && (async () => ''));
    await agreeToScorers(suite, flags);
  });
  return untilInterrupted(
    async (interruption) => {
      const options = {
        ...flags,
        isTyped: chosen?.isTyped ?? false,
        suites: suites.map(({ id }) => id),
      };
      const changedPins =
        own === undefined || flags.watch
          ? []
          : await reportChangedPins(suites, serversFor, options, own);
      const opened = await openToTest(options, own);
      const open = new LaunchedRuns();
      try {
        const saverOf = (servers: ChosenServers) => serverSaver(opened, servers);
        const save = chosen && saverOf(chosen);
        const { record: isRecorded, ...others } = flags;
        const record: TestOptions['record'] = (suite, runId) =>
          recordFiles(opened.connection, suite, runId);
        const readsAll = wantsReports(flags);
        const asked = { ...others, ...(trials && { trials }) };
        const testOptions = { ...asked, readsAll, modelApiKeys, ...(isRecorded && { record }) };
        const testFile = async (file: string, follow: Course['follow']) => {
          const suite = await readSuiteToTest(file);
          await agreeToScorers(suite, flags);
          const servers = await serversFor(suite);
          const serverIds = await bindSuite(suite, servers, save ?? (servers && saverOf(servers)));
          return testSuite(opened, suite, serverIds, testOptions, { open, follow });
        };
        if (flags.watch) {
          const watched = (await Promise.all(suites.map(serversFor))).find(Boolean);
          const around = { opened, chosen: watched, watchPath: flags.watchPath, interruption };
          return await watchAndTest(files, testFile, around);
        }
        const testOne = (file: string) => testFile(file, followTest(interruption.signals));
        const all = { files, changedPins };
        return await Promise.race([testAll(all, testOne, opened, flags), interruption.code]);
      } finally {
        await open.cancelAll(opened.connection);
        await opened.stop();
      }
    },
    own?.stopAtOnce,
    flags.watch,
  );
}

async function readSuites(files: readonly string[], { watch }: Flags): Promise<SuiteToTest[]> {
  const suites = await Promise.all(files.map(readSuiteToTest));
  // A watched file may be in the middle of a change, which the next test reads.
  if (!watch) await refuseMistakes(suites);
  return suites;
}

function planOfTest(flags: Flags) {
  return readTrialPlan(flags, [['--repetitions', flags.repetitions]]);
}

async function replay(
  suites: readonly SuiteToTest[],
  flags: Flags,
  own: OwnService,
): Promise<number> {
  const { repetitions, model } = flags;
  // Recordings are read before anything starts, so that unusable ones are reported immediately.
  const recorded = suites.map((suite) => ({
    suite,
    files: readFilesToReplay(suite, repetitions),
  }));
  return untilInterrupted(async (interruption) => {
    const opened = await own.replay(flags.widgets !== false);
    const open = new LaunchedRuns();
    const follow = followTest(interruption.signals);
    const trials = planOfTest(flags);
    const testOptions = {
      modelApiKeys: {},
      readsAll: wantsReports(flags),
      ...(trials && { trials }),
      ...(repetitions !== undefined && { repetitions }),
      ...(model !== undefined && { model }),
    };
    const testOne = async ({ suite, files }: (typeof recorded)[number]) => {
      const serverIds = await bindRecorded(opened, suite, files);
      const { keepRecorded: keep } = opened;
      return testSuite(opened, suite, serverIds, testOptions, { open, follow }, { files, keep });
    };
    try {
      return await Promise.race([
        testAll({ files: recorded }, testOne, opened, flags),
        interruption.code,
      ]);
    } finally {
      await open.cancelAll(opened.connection);
      await opened.stop();
    }
  });
}

async function testAll<File>(
  {
    files,
    changedPins = [],
  }: { readonly changedPins?: readonly ChangedPin[]; readonly files: readonly File[] },
  testFile: (file: File) => Promise<TestedSuite>,
  opened: TestingService,
  flags: ReportFlags,
): Promise<number> {
  const tested: TestedSuite[] = [];
  const isQuiet = takesOutput(flags);
  for (const file of files) {
    const one = await testFile(file).catch(tellMistakes);
    for (const warning of one.warnings) printNotice(warning);
    if (flags.json === true) printSuiteJson(one.readout);
    if (!isQuiet) {
      if (tested.length > 0) printLine();
      process.stdout.write(testedText(one, opened, terminalAbility()));
    }
    tested.push(one);
    // The user who cancels a run means the whole test, so the remaining suites are skipped.
    if (one.decision.run.status === 'cancelled') break;
  }
  const exitCode = changedPins.length > 0 ? exitCodes.failed : exitCodeOf(tested);
  const call = { suites: tested, service: opened, asked: files.length, exitCode, changedPins };
  if (!isQuiet) printSum(tested, call);
  await writeReports(flags, call);
  printPinsFailure(changedPins);
  return exitCode;
}

function printSum(tested: readonly TestedSuite[], call: Parameters<typeof sumLine>[0]): void {
  const { ascii, width } = terminalAbility();
  const sum = sumLine(call, ascii);
  if (sum !== undefined) {
    printLine();
    printSentence(sum);
  }
  for (const line of belowVerdict(tested, width)) printLine(line);
}

function printPinsFailure(changed: readonly ChangedPin[]): void {
  if (changed.length === 0) return;
  printNotice(
    `FAILED: ${changedPinsWords(changed)}, as shown above; review the change, then pin it with \`proofmark surface pin\`.`,
  );
}
