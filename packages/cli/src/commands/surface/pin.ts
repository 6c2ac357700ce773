/**
 * `proofmark surface pin` writes the tools of each suite's servers to a file beside the suite. The
 * file is meant to be committed and reviewed.
 */
import { count, pinSurface, surfaceTokens } from '@proofmark/domain';
import { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printLine } from '../../output.ts';
import { remotely } from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { isLink } from '../../trust/is-outside-folder.ts';
import { serversToRead } from '../lint/list-servers.ts';
import { pinFileOf } from '../lint/surface-pins.ts';
import { type ServerFlags, withServerFlags } from '../test/chosen-servers.ts';
import { type OwnService, type ServiceFlags, withSettingsFlag } from '../test/open-service.ts';
import { sha256Hex } from '../test/record-files.ts';
import { suiteFilesOf } from '../test/suite-files.ts';
import { writeReport } from '../test/test-reports.ts';
import { untilInterrupted } from '../test/until-interrupted.ts';

type Flags = ServerFlags & ServiceFlags;

export function surfacePinCommand(own: OwnService): Command {
  const command = withSettingsFlag(
    withServerFlags(
      new Command('pin')
        .description('write the tools of the servers of each suite to SUITE.surface.json')
        .argument(
          '[suites...]',
          'suite files (default: *.suite.yaml and proofmark/*.yaml of this folder)',
        ),
    ),
  )
    .option('--url <url>', 'address of a service that has servers saved (default: this folder)')
    .option('--project <id or name>', 'the project of those servers (default: the only one)')
    .action((files: string[], flags: Flags) => remotely(() => pin(files, flags, own)));
  return withExamples(
    command,
    'proofmark surface pin',
    'proofmark surface pin weather.suite.yaml --server-command "node server.js"',
  );
}

async function pin(named: readonly string[], flags: Flags, own: OwnService): Promise<number> {
  const files = suiteFilesOf(named);
  for (const file of files) refuseToWrite(file);
  const { read } = await serversToRead(files, flags);
  return untilInterrupted(async ({ code }) => {
    const work = async () => {
      const servers = await read(own);
      const { loadTokenCounter } = await import('@proofmark/server/tokens');
      const countTokens = await loadTokenCounter();
      for (const file of files) {
        const listed = servers.filter((server) => server.files.includes(file));
        const content = pinSurface(listed, surfaceTokens(listed, countTokens), sha256Hex);
        await writeReport(`${JSON.stringify(content, null, 2)}\n`, pinFileOf(file));
        const tools = listed.flatMap((server) => server.tools).length;
        printLine(
          `${pinFileOf(file)}: ${count(tools, 'tool')} of ${count(listed.length, 'server')}.`,
        );
      }
      return exitCodes.passed;
    };
    return Promise.race([work(), code]);
  }, own.stopAtOnce);
}

function refuseToWrite(suiteFile: string): void {
  if (suiteFile === '-') {
    throw new UsageProblem('A pin is written beside a suite file; name a file in place of -.');
  }
  const file = pinFileOf(suiteFile);
  if (isLink(file)) throw new UsageProblem(`${file} is a link, which is not followed; remove it.`);
}
