/**
 * `proofmark test`: runs suite files against a server, on a service that is found or started for
 * it, and exits with their verdict.
 */
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printNotice } from '../output.ts';
import { remotely } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { modelKeyFlag, readModelKeys } from '../remote/model-keys.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { readTrialsPerCase } from './eval/run.ts';
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
  type Course,
  exitCodeOf,
  SuiteMistakes,
  type TestedSuite,
  type TestWish,
  testedJson,
  testedText,
  testSuite,
} from './test/test-suite.ts';
import { untilInterrupted } from './test/until-interrupted.ts';
import { watchAndTest } from './test/watch-and-test.ts';

interface Flags extends ServerFlags, ServiceFlags, RecordingFlags {
  readonly model?: string;
  readonly repetitions?: number;
  readonly watchPath?: string;
  readonly json?: true;
  /** False if `--no-widgets` was given. */
  readonly widgets?: boolean;
}

export function testCommand(own?: OwnService): Command {
  const command = withServerFlags(
    new Command('test')
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
    .option('--json', 'print one JSON object for each suite')
    .action((files: string[], flags: Flags) => remotely(() => test(files, flags, own)));
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
  'keep the runs in .proofmark (default: where that is there, or a data directory is named)',
] as const;
const ephemeralFlag = ['--ephemeral', 'keep no data after the test'] as const;

async function test(
  named: readonly string[],
  flags: Flags,
  own: OwnService | undefined,
): Promise<number> {
  refuseProgram(flags, own);
  refuseKeepingNothing(flags);
  refuseBesideRecordings(flags, own !== undefined);
  if (flags.watch && flags.json)
    throw new UsageProblem('--watch has no JSON output; remove --json.');
  const files = suiteFilesOf(named);
  const chosen = await chosenServers(flags);
  const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
  const suites = await Promise.all(files.map(readSuiteToTest));
  if (flags.replay && own) return replay(suites, flags, own);
  const serversFor = serversForSuites(chosen, flags, own !== undefined);
  for (const suite of suites) {
    // Problems that can be found without a service are reported before one is started.
    if (flags.record) refuseLinks(suite.file);
    const servers = await serversFor(suite);
    const agreed = async (name: string) => {
      await servers?.agree(name);
      return '';
    };
    await bindSuite(suite, servers, servers && agreed);
    await agreeToScorers(suite, flags);
  }
  return untilInterrupted(async (interruption) => {
    const wish = {
      ...flags,
      isTyped: chosen?.isTyped ?? false,
      suites: suites.map(({ id }) => id),
    };
    const opened = await openToTest(wish, own);
    const open = new LaunchedRuns();
    try {
      const saverOf = (servers: ChosenServers) => serverSaver(opened, servers);
      const save = chosen && saverOf(chosen);
      const { record: isRecorded, ...others } = flags;
      const record: TestWish['record'] = (suite, runId) =>
        recordFiles(opened.connection, suite, runId);
      const testWish = { ...others, modelApiKeys, ...(isRecorded && { record }) };
      const testFile = async (file: string, follow: Course['follow']) => {
        const suite = await readSuiteToTest(file);
        await agreeToScorers(suite, flags);
        const servers = await serversFor(suite);
        const serverIds = await bindSuite(suite, servers, save ?? (servers && saverOf(servers)));
        return testSuite(opened, suite, serverIds, testWish, { open, follow });
      };
      if (flags.watch) {
        const watched = (await Promise.all(suites.map(serversFor))).find(Boolean);
        const around = { opened, chosen: watched, watchPath: flags.watchPath, interruption };
        return await watchAndTest(files, testFile, around);
      }
      const testOne = (file: string) => testFile(file, followTest(interruption.signals));
      return await Promise.race([testAll(files, testOne, opened, flags.json), interruption.code]);
    } finally {
      await open.cancelAll(opened.connection);
      await opened.stop();
    }
  }, own?.stopAtOnce);
}

/** Grades recordings in memory, without starting a service. */
async function replay(
  suites: readonly SuiteToTest[],
  flags: Flags,
  own: OwnService,
): Promise<number> {
  const { repetitions, json, model } = flags;
  // Read before anything starts, so that recordings that cannot be played are reported at once.
  const recorded = suites.map((suite) => ({
    suite,
    files: readFilesToReplay(suite, repetitions),
  }));
  return untilInterrupted(async (interruption) => {
    const opened = await own.replay(flags.widgets !== false);
    const open = new LaunchedRuns();
    const follow = followTest(interruption.signals);
    const wish = {
      modelApiKeys: {},
      ...(repetitions !== undefined && { repetitions }),
      ...(json && { json }),
      ...(model !== undefined && { model }),
    };
    const testOne = async ({ suite, files }: (typeof recorded)[number]) => {
      const serverIds = await bindRecorded(opened, suite, files);
      const { keepRecorded: keep } = opened;
      return testSuite(opened, suite, serverIds, wish, { open, follow }, { files, keep });
    };
    try {
      return await Promise.race([testAll(recorded, testOne, opened, json), interruption.code]);
    } finally {
      await open.cancelAll(opened.connection);
      await opened.stop();
    }
  });
}

async function testAll<File>(
  files: readonly File[],
  testFile: (file: File) => Promise<TestedSuite>,
  opened: TestingService,
  json: true | undefined,
): Promise<number> {
  const tested: TestedSuite[] = [];
  for (const file of files) {
    const one = await testFile(file).catch(tellMistakes);
    for (const warning of one.warnings) printNotice(warning);
    if (json) printJson(testedJson(one, opened));
    else {
      if (tested.length > 0) process.stdout.write('\n');
      process.stdout.write(testedText(one, opened, terminalAbility()));
    }
    tested.push(one);
    // If a run was cancelled, the remaining suites are not run: whoever cancels one run wants to
    // stop the test.
    if (one.decision.run.status === 'cancelled') break;
  }
  const code = exitCodeOf(tested);
  if (tested.length > 1 && !json) {
    const passed = tested.filter(({ exitCode }) => exitCode === exitCodes.passed).length;
    printNotice(`${passed} of ${tested.length} suites passed.`);
  }
  return code;
}

function tellMistakes(error: unknown): never {
  if (error instanceof SuiteMistakes) for (const line of error.lines) printNotice(line);
  throw error;
}
