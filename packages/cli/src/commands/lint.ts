/**
 * `proofmark lint`: checks what servers show to models, without a service and without a database.
 * The servers are those that suite files state, or those that flags give; with `--pinned` the tools
 * come from the pins beside the suites, and no server is started or called.
 */
import {
  isGraveFinding,
  type Json,
  type LintedServer,
  type LintFinding,
  lintSurface,
  type SurfaceTokens,
  surfaceTokens,
} from '@proofmark/domain';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printLine } from '../output.ts';
import { remotely } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { lintLinesByServer } from '../remote/lint-lines.ts';
import type { SurfaceFinding } from '../remote/surface-finding.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { wholeNumber } from '../remote/whole-number.ts';
import { serversToRead } from './lint/list-servers.ts';
import { alteredInPin, changedSincePin, pinFileOf, readPinOf } from './lint/surface-pins.ts';
import { type ServerFlags, withServerFlags } from './test/chosen-servers.ts';
import { type OwnService, type ServiceFlags, withSettingsFlag } from './test/open-service.ts';
import { suiteFilesOf } from './test/suite-files.ts';
import { readSuiteAfterJson, writeReport } from './test/test-reports.ts';
import { untilInterrupted } from './test/until-interrupted.ts';

interface Flags extends ServerFlags, ServiceFlags {
  readonly strict?: true;
  readonly pinned?: true;
  readonly maximumSurfaceTokens?: number;
  /** True without a file. */
  readonly json?: true | string;
}

interface Linted {
  readonly servers: readonly (LintedServer & { readonly name: string })[];
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
    .option('--url <url>', 'address of a service that has servers saved (default: this folder)')
    .option('--project <id or name>', 'the project of those servers (default: the only one)')
    .action((files: string[], flags: Flags) => {
      const wish = readSuiteAfterJson(files, flags);
      return remotely(() => lint(wish.named, wish.flags, own));
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

async function lint(named: readonly string[], flags: Flags, own: OwnService): Promise<number> {
  if (flags.pinned) return tell(lintPins(named, flags), flags);
  const { files, read } = await serversToRead(named, flags);
  const pins = files.map((file) => ({ file, pinned: readPinOf(file) }));
  return untilInterrupted(async ({ code }) => {
    const work = async () => {
      const servers = await read(own);
      const changed = pins.flatMap(({ file, pinned }) => {
        const own = servers.filter((server) => server.files.includes(file));
        return pinned === undefined ? [] : changedSincePin(file, pinned, own);
      });
      return tell({ servers, findings: changed }, flags);
    };
    return Promise.race([work(), code]);
  }, own.stopAtOnce);
}

function lintPins(named: readonly string[], flags: Flags): Linted {
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
  const servers = pins.flatMap(({ pinned }) => pinned);
  const altered = pins.flatMap(({ file, pinned }) => alteredInPin(file, pinned));
  return { servers, findings: altered };
}

function noPin(what: string, file = ''): string {
  return `${what}; write it with \`${`proofmark surface pin ${file}`.trim()}\` and keep it beside the suite.`;
}

async function tell({ servers, findings: found }: Linted, flags: Flags): Promise<number> {
  const { loadTokenCounter } = await import('@proofmark/server/tokens');
  const { rankForLint } = await import('@proofmark/server/ranking');
  const tokens = surfaceTokens(servers, await loadTokenCounter());
  const linted = lintSurface(servers, { rankTools: rankForLint });
  const findings = [...overBudget(tokens, flags.maximumSurfaceTokens), ...found, ...linted];
  const { json } = flags;
  if (json !== undefined) {
    const shown = servers.map(({ name, tools }) => ({ name, tools: inShort(tools) }));
    const text = JSON.stringify({ findings, tokens, surface: { servers: shown } });
    await writeReport(`${text}\n`, json === true ? '-' : json);
  }
  if (json !== true && json !== '-') {
    for (const line of lintLinesByServer(tokens.servers, findings, terminalAbility())) {
      printLine(line);
    }
  }
  const fails = flags.strict
    ? isGraveFinding
    : ({ severity }: Pick<LintFinding, 'severity'>) => severity === 'error';
  return findings.some(fails) ? exitCodes.failed : exitCodes.passed;
}

function overBudget({ total }: SurfaceTokens, most: number | undefined): SurfaceFinding[] {
  if (most === undefined || total.o200k_base <= most) return [];
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

/** What a model gets of a tool. */
function inShort(tools: readonly Json[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
