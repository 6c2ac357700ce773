/**
 * `proofmark lint` checks what servers show to models, without a service or a database. With
 * `--pinned`, it reads the tool lists stored beside the suite files and starts no server.
 */
import path from 'node:path';
import { version } from '@proofmark/contract';
import {
  isGraveFinding,
  type Json,
  type LintedServer,
  type LintFinding,
  lintSurface,
  type ReadServerInPin,
  type SurfaceTokens,
  surfaceTokens,
  type TokenCount,
} from '@proofmark/domain';
import { type FindingToPlace, lintSarif } from '@proofmark/report';
import { Command } from 'commander';
import { readServerLines } from '../data-files/server-lines.ts';
import { withExamples } from '../examples.ts';
import { printLine } from '../output.ts';
import { remotely } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { lintLinesByServer, type SizeOfServer, toolNamesOf } from '../remote/lint-lines.ts';
import { readGivenFile } from '../remote/read-given-file.ts';
import type { SurfaceFinding } from '../remote/surface-finding.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { wholeNumber } from '../remote/whole-number.ts';
import { serverJsonToLint, warnOfServerJson } from './lint/lint-server-json.ts';
import { serversToRead } from './lint/list-servers.ts';
import { alteredInPin, changedSincePin, pinFileOf, readPinOf } from './lint/surface-pins.ts';
import { type ServerFlags, withServerFlags } from './test/chosen-servers.ts';
import { type OwnService, type ServiceFlags, withSettingsFlag } from './test/open-service.ts';
import { sha256Hex } from './test/record-files.ts';
import { suiteFilesOf } from './test/suite-files.ts';
import {
  makeReportFolders,
  readSuiteAfterJson,
  refuseDestination,
  writeReport,
} from './test/test-reports.ts';
import { untilInterrupted } from './test/until-interrupted.ts';

export interface LintFlags extends ServerFlags, ServiceFlags {
  readonly strict?: true;
  readonly pinned?: true;
  readonly maximumSurfaceTokens?: number;
  /** True for `--json` without a file name. */
  readonly json?: true | string;
  readonly sarif?: string;
}

interface Linted {
  readonly servers: readonly (LintedServer & {
    readonly name: string;
    readonly files: readonly string[];
    /** As stated in a pin. */
    readonly tokens?: TokenCount;
  })[];
  readonly findings: readonly (LintFinding | SurfaceFinding)[];
}

export function lintCommand(own: OwnService): Command {
  const command = withSettingsFlag(
    withServerFlags(
      new Command('lint')
        .description(
          'check the names, descriptions and schemas of the tools of servers; exits with 1 for an error',
        )
        .argument(
          '[suites...]',
          'suite files that state the servers (default: *.suite.yaml and proofmark/*.yaml of this folder)',
        ),
    ),
  )
    .option('--strict', 'also exit with 1 for a warning')
    .option('--pinned', 'check the pins beside the suites; starts and calls no server')
    .option(
      '--maximum-surface-tokens <number>',
      'exit with 1 if the tools take more tokens of a model’s context',
      wholeNumber,
    )
    .option('--json [file]', 'print the findings and the tools as JSON, or write them to a file')
    .option('--sarif <file>', 'write SARIF 2.1.0: findings at the lines of their servers')
    .option('--url <url>', 'address of a service that has servers saved (default: this folder)')
    .option('--project <id or name>', 'the project of those servers (default: the only one)')
    .action((files: string[], flags: LintFlags) => {
      const parsed = readSuiteAfterJson(files, flags);
      return remotely(() => lint(parsed.named, parsed.flags, own));
    });
  return withExamples(
    command,
    'proofmark lint',
    'proofmark lint --from server.json',
    'proofmark lint --server-command "node server.js" --strict',
    'proofmark lint --pinned   as proofmark surface pin wrote them',
    'proofmark lint weather.suite.yaml --json lint.json',
  );
}

export async function lint(
  named: readonly string[],
  flags: LintFlags,
  own: OwnService,
): Promise<number> {
  if ((flags.json === true || flags.json === '-') && flags.sarif === '-') {
    throw new UsageProblem('Only one of --json and --sarif can go to standard output.');
  }
  for (const flag of ['json', 'sarif'] as const) {
    const file = flags[flag];
    if (typeof file === 'string') refuseDestination(flag, file);
  }
  makeReportFolders([flags.json, flags.sarif]);
  if (flags.pinned) return printLinted(lintPins(named, flags), flags);
  const read = (await serverJsonOf(named, flags)) ?? (await serversOf(named, flags));
  return untilInterrupted(
    ({ code }) => Promise.race([read(own).then((linted) => printLinted(linted, flags)), code]),
    own.stopAtOnce,
  );
}

type ReadLinted = (own: OwnService) => Promise<Linted>;

/**
 * Without suites, lints the `server.json` named by the flags. With suites, only prints warnings
 * about that `server.json`.
 */
async function serverJsonOf(
  named: readonly string[],
  flags: LintFlags,
): Promise<ReadLinted | undefined> {
  const file = flags.from ?? flags.config;
  if (file === undefined) return undefined;
  if (named.length > 0) {
    await warnOfServerJson(file);
    return undefined;
  }
  const read = await serverJsonToLint(file, flags);
  if (read === undefined) return undefined;
  return async (own) => {
    const { server, findings } = await read(own);
    const servers = server === undefined ? [] : [server];
    return { servers, findings };
  };
}

async function serversOf(named: readonly string[], flags: LintFlags): Promise<ReadLinted> {
  const { files, read } = await serversToRead(named, flags);
  const pins = files.map((file) => ({ file, pinned: readPinOf(file) }));
  return async (own) => {
    const servers = await read(own);
    const changed = pins.flatMap(({ file, pinned }) => {
      const listed = servers.filter((server) => server.files.includes(file));
      return pinned === undefined ? [] : changedSincePin(file, pinned, listed);
    });
    return { servers, findings: changed };
  };
}

function lintPins(named: readonly string[], flags: LintFlags): Linted {
  const { server, serverCommand, from, config } = flags;
  if ([server, serverCommand, from, config].some((flag) => flag !== undefined)) {
    throw new UsageProblem('--pinned uses no server; remove --pinned or the flag of the server.');
  }
  const pins = suiteFilesOf(named).flatMap((file) => {
    const pinned = readPinOf(file);
    if (pinned !== undefined) return [{ file, pinned }];
    if (named.length === 0) return [];
    throw new UsageProblem(noPin(`There is no ${pinFileOf(file)}`, file));
  });
  if (pins.length === 0) throw new UsageProblem(noPin('No suite here has a pin'));
  const altered = pins.flatMap(({ file, pinned }) => alteredInPin(file, pinned));
  return { servers: serversOfPins(pins), findings: altered };
}

/** Suites of one folder usually name the same server. Such a server is linted only once. */
function serversOfPins(
  pins: readonly { readonly file: string; readonly pinned: readonly ReadServerInPin[] }[],
): Linted['servers'] {
  const byKey = new Map<string, Linted['servers'][number]>();
  for (const { file, pinned } of pins) {
    for (const { name, tools, tokens } of pinned) {
      const key = JSON.stringify([name, tools]);
      const files = [...(byKey.get(key)?.files ?? []), file];
      byKey.set(key, { name, tools, files, ...(tokens && { tokens }) });
    }
  }
  return [...byKey.values()];
}

function noPin(what: string, file = ''): string {
  return `${what}; write it with \`${`proofmark surface pin ${file}`.trim()}\` and keep it beside the suite.`;
}

async function printLinted(
  { servers, findings: found }: Linted,
  flags: LintFlags,
): Promise<number> {
  const { rankForLint } = await import('@proofmark/server/ranking');
  const stated = statedSizes(servers, flags);
  const tokens = stated === undefined ? await countedTokens(servers) : undefined;
  const linted = lintSurface(servers, { rankTools: rankForLint });
  const findings = [...overBudget(tokens, flags.maximumSurfaceTokens), ...found, ...linted];
  const { json } = flags;
  if (json !== undefined) {
    const shown = servers.map(({ name, tools }) => ({ name, tools: inShort(tools) }));
    const source = flags.pinned ? { pinned: true } : {};
    const text = JSON.stringify({ ...source, findings, tokens, surface: { servers: shown } });
    await writeReport(`${text}\n`, json === true ? '-' : json);
  }
  if (flags.sarif !== undefined) await writeReport(await sarifOf(servers, findings), flags.sarif);
  if (json !== true && json !== '-' && flags.sarif !== '-') {
    const sizes = stated ?? tokens?.servers ?? [];
    for (const line of lintLinesByServer(sizes, findings, terminalAbility())) printLine(line);
  }
  const fails = flags.strict
    ? isGraveFinding
    : ({ severity }: Pick<LintFinding, 'severity'>) => severity === 'error';
  return findings.some(fails) ? exitCodes.failed : exitCodes.passed;
}

/**
 * The sizes of servers as their pins state them, or undefined if tokens must be counted. Loading the
 * tokenizer takes longer than the rest of a pre-commit hook. A pin may be edited by hand, so its
 * sizes are only shown to people and decide nothing.
 */
function statedSizes(
  servers: Linted['servers'],
  { json, maximumSurfaceTokens }: LintFlags,
): SizeOfServer[] | undefined {
  if (json !== undefined || maximumSurfaceTokens !== undefined) return undefined;
  const sizes = servers.flatMap(({ name, tools, tokens: total }) =>
    total === undefined ? [] : [{ serverName: name, tools, total }],
  );
  return sizes.length === servers.length ? sizes : undefined;
}

async function countedTokens(servers: Linted['servers']): Promise<SurfaceTokens> {
  const { loadTokenCounter } = await import('@proofmark/server/tokens');
  return surfaceTokens(servers, await loadTokenCounter());
}

async function sarifOf(servers: Linted['servers'], findings: Linted['findings']): Promise<string> {
  const fileOf = (name: string | null) => servers.find((server) => server.name === name)?.files[0];
  const placed: FindingToPlace[] = [];
  for (const finding of findings) {
    const { rule, severity, serverName, message, reason, path = '' } = finding;
    const own = 'file' in finding ? finding.file : undefined;
    const file = own ?? fileOf(serverName);
    const findingFields = { rule, severity, serverName, path, message, reason };
    const toolNames = toolNamesOf(finding);
    placed.push({ ...findingFields, toolNames, ...(await placeIn(file, serverName)) });
  }
  return lintSarif(placed, { version, sha256Hex });
}

async function placeIn(file: string | undefined, serverName: string | null) {
  if (file === undefined || file === '-') return {};
  const lineOf = await readServerLines(await readGivenFile(file));
  const line = serverName === null ? undefined : lineOf(serverName);
  return { file: path.relative('.', file), line: line ?? 1 };
}

function overBudget(tokens: SurfaceTokens | undefined, most: number | undefined): SurfaceFinding[] {
  const { total } = tokens ?? {};
  if (most === undefined || total === undefined || total.o200k_base <= most) return [];
  return [
    {
      rule: 'surface-over-budget',
      severity: 'error',
      serverName: null,
      message: `The tools take ${total.o200k_base} tokens, more than the ${most} of --maximum-surface-tokens.`,
      reason: 'Every request includes the tools, so their tokens are paid for each time.',
      trials: [],
    },
  ];
}

function inShort(tools: readonly Json[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
