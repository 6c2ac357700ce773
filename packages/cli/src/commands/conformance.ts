/**
 * `proofmark conformance` runs the official conformance suite of MCP: against a saved server as a
 * run of the service, or against an address in this process, where nothing is stored.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import {
  type ConformanceReport,
  type ConformanceRevision,
  conformanceRevisions,
  countOutcomes,
  type ExpectedFailures,
  exitCodeOfConformance,
  expectedFailuresOfFile,
  isRecord,
  type PlayedScenario,
  reportConformance,
} from '@proofmark/domain';
import { type Command, Option } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printLine, printNotice } from '../output.ts';
import { collectFlag } from '../remote/collect-flag.ts';
import { conformanceSummary, scenarioLines } from '../remote/conformance-lines.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { findServer } from '../remote/find-server.ts';
import { readGivenFile } from '../remote/read-given-file.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { watchRun } from '../remote/watch-run.ts';
import type { OwnService } from './test/open-service.ts';
import { untilInterrupted } from './test/until-interrupted.ts';

interface Flags extends ConnectionFlags {
  readonly server?: string;
  readonly spec?: ConformanceRevision | 'all';
  readonly scenario?: readonly string[];
  readonly expectedFailures?: string;
  readonly json?: true;
}

export function conformanceCommand(own: OwnService | undefined): Command {
  return withExamples(
    remoteCommand('conformance')
      .description(
        'run the official conformance suite against a server; exits with 1 for an unexpected failure',
      )
      .argument('[server]', 'id or name of a saved server, or the address of any server')
      .option('--server <id, name or url>', 'the server (default: the only one that is saved)')
      .addOption(
        new Option(
          '--spec <revision>',
          'the revision to test, or all that the server speaks (default: the newest of them)',
        ).choices([...conformanceRevisions, 'all']),
      )
      .option(
        '--scenario <name>',
        'play only this scenario; repeat for more (default: all of the revision)',
        collectFlag,
      )
      .option('--expected-failures <file>', 'known failures, as the suite states them')
      .option('--json', 'print the result as JSON; with --spec all a list')
      .action((server: string | undefined, flags: Flags) =>
        remotely(() => runConformance(named(server, flags), flags, own)),
      ),
    'proofmark conformance Bookshop',
    'proofmark conformance http://127.0.0.1:3000/mcp --spec all',
    'proofmark conformance Bookshop --expected-failures conformance-baseline.yml',
  );
}

function named(argument: string | undefined, { server }: Flags): string | undefined {
  if (argument === undefined || server === undefined) return argument ?? server;
  throw new UsageProblem('The server is given twice; give it as the first word or with --server.');
}

/** What was played at one revision. */
interface Played extends Pick<ConformanceReport, 'suite' | 'spec' | 'note' | 'runId'> {
  readonly played: readonly PlayedScenario[];
}

async function runConformance(
  server: string | undefined,
  flags: Flags,
  own: OwnService | undefined,
): Promise<number> {
  const baseline = await readBaseline(flags.expectedFailures);
  const isAddress = server !== undefined && /^https?:\/\//i.test(server);
  const all = isAddress
    ? await playHere(server, baseline?.expected, flags, own)
    : await playOnService(server, baseline?.entries, flags);
  if (typeof all === 'number') return all;
  if (flags.json) {
    const reports = all.map(({ played, ...run }) => reportConformance(run, played));
    printJson(flags.spec === 'all' ? reports : reports[0]);
  }
  return exitCodeOfConformance(all.flatMap(({ played }) => played));
}

interface Baseline {
  readonly entries: readonly string[];
  readonly expected: ExpectedFailures;
}

async function readBaseline(file: string | undefined): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  const { parseYamlLoosely } = await import('../data-files/parse-yaml.ts');
  const text = await readGivenFile(file);
  const content = parseYamlLoosely(text);
  if (content === undefined) throw new UsageProblem(`${file} is not valid YAML.`);
  const read = expectedFailuresOfFile(content);
  if ('problem' in read) throw new UsageProblem(`${file}: ${read.problem}`);
  const { expected } = read;
  const entries = [...expected].flatMap(([scenario, checks]) =>
    checks === 'whole' ? [scenario] : checks.map((id) => `${scenario}:${id}`),
  );
  return { entries, expected };
}

async function playHere(
  url: string,
  expected: ExpectedFailures | undefined,
  flags: Flags,
  own: OwnService | undefined,
): Promise<readonly Played[] | number> {
  if (own === undefined) throw new UsageProblem(noConformanceForLight);
  if (!URL.canParse(url)) throw new UsageProblem(`${JSON.stringify(url)} is not an address.`);
  const lines = linesOf(flags);
  const stopped = new AbortController();
  let all: readonly Played[] | undefined;
  const code = await untilInterrupted(async ({ code: interrupted }) => {
    const playing = own.playConformance({
      url,
      expected,
      spec: flags.spec,
      scenarios: flags.scenario,
      signal: stopped.signal,
      begin: (terms) => lines.begin(url, { ...terms, runId: null }),
      tell: lines.tell,
    });
    const ended = await Promise.race([playing, interrupted]);
    if (typeof ended === 'number') {
      stopped.abort();
      await playing.catch(() => undefined);
      return ended;
    }
    if ('problem' in ended) {
      if (ended.isUsage) throw new UsageProblem(ended.problem);
      printNotice(ended.problem);
      return exitCodes.other;
    }
    all = ended.map((one) => ({ ...one, runId: null }));
    for (const one of all) lines.end(one);
    return exitCodes.passed;
  });
  return all ?? code;
}

const noConformanceForLight =
  'This is the light command, which plays no suite itself: name a server that is saved in a service, or install the whole proofmark package.';

async function playOnService(
  server: string | undefined,
  expectedFailures: readonly string[] | undefined,
  flags: Flags,
): Promise<readonly Played[] | number> {
  const connection = await connectToService(flags);
  const { id: serverId, name } = await findServer(connection, server);
  const lines = linesOf(flags);
  const asked = {
    ...(flags.scenario !== undefined && { scenarios: [...flags.scenario] }),
    ...(expectedFailures !== undefined && { expectedFailures: [...expectedFailures] }),
  };
  const all: Played[] = [];
  for (const spec of specsOf(flags)) {
    const started = await start(connection, serverId, { ...spec, ...asked });
    if (started === undefined) continue;
    printNotice(`run ${started.runId} has started.`);
    const ended = await watchRun(connection, started.runId);
    if (ended === undefined) return exitCodes.other;
    lines.begin(name, started);
    const played = await readPlayed(connection, started.runId);
    for (const one of played) lines.tell(one);
    all.push({ ...started, played });
    lines.end({ ...started, played });
  }
  return all;
}

type Request = BodyInputOf<'runServerConformance'>;

function specsOf({ spec }: Flags): readonly Pick<Request, 'spec' | 'ifSpoken'>[] {
  if (spec !== 'all') return [spec === undefined ? {} : { spec }];
  return conformanceRevisions.map((one) => ({ spec: one, ifSpoken: true }));
}

/** Returns undefined for a revision that is left out, because the server does not speak it. */
async function start(
  { client, projectId }: Connection,
  serverId: string,
  body: Request,
): Promise<OutputOf<'runServerConformance'> | undefined> {
  try {
    return await client.runServerConformance({ projectId, serverId, body });
  } catch (error) {
    const reason = error instanceof ApiError ? error.details['reason'] : undefined;
    if (reason === 'STDIO_SERVER') throw new UsageProblem((error as ApiError).message);
    if (reason !== 'CONFORMANCE_REVISION' || body.ifSpoken !== true) throw error;
    printNotice((error as ApiError).message);
    return undefined;
  }
}

async function readPlayed(
  { client, projectId }: Connection,
  runId: string,
): Promise<PlayedScenario[]> {
  const trials = await readAllPages((page) =>
    client.listEvalRunIterations({ projectId, runId, ...page }),
  );
  const all: PlayedScenario[] = [];
  for (const { id, caseId, title, error, hasTrace } of trials) {
    const trace = hasTrace === false ? undefined : await traceOf(client, projectId, runId, id);
    const played = trace?.['conformance'];
    if (isRecord(played)) {
      all.push(played as unknown as PlayedScenario);
      continue;
    }
    const scenario = caseId ?? title ?? id;
    const unanswered = error ?? 'This scenario was not played.';
    all.push({ scenario, outcome: 'skipped', checks: [], reasons: [], unanswered });
  }
  return all;
}

async function traceOf(
  client: Connection['client'],
  projectId: string,
  runId: string,
  iterationId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await client.getEvalIterationTrace({ projectId, runId, iterationId });
  } catch (error) {
    // A trial that never began has no trace.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Prints what is played for people; with --json nothing. */
function linesOf({ json }: Flags) {
  const ability = terminalAbility();
  const print = (lines: readonly string[]) => {
    if (!json) for (const line of lines) printLine(line);
  };
  return {
    begin: (server: string, { suite, spec, note }: Omit<Played, 'played'>) =>
      print([
        `Conformance ${spec}: ${server} (${suite.name} ${suite.version})`,
        ...(note === null ? [] : [note]),
      ]),
    tell: (played: PlayedScenario) => print(scenarioLines(played, ability)),
    end: ({ played, runId }: Played) =>
      print([
        conformanceSummary(countOutcomes(played), exitCodeOfConformance(played)),
        ...(runId === null ? [] : [`Read the run: proofmark eval decision ${runId}`]),
        '',
      ]),
  };
}
