import type { ChangedPin } from '@proofmark/report';
import { printNotice } from '../../output.ts';
import type { OwnService, ServiceFlags } from '../test/open-service.ts';
import type { ServersFor } from '../test/server-choice.ts';
import type { SuiteToTest } from '../test/suite-files.ts';
import { listServers } from './list-servers.ts';
import { serversToLint } from './servers-to-lint.ts';
import { changedSincePin, readPinOf } from './surface-pins.ts';

/**
 * Before the test, compares the suites' servers with their pins (stored tool lists). Prints and
 * returns each server that differs.
 */
export async function reportChangedPins(
  suites: readonly SuiteToTest[],
  serversFor: ServersFor,
  options: ServiceFlags & { readonly isTyped: boolean },
  own: OwnService,
): Promise<readonly ChangedPin[]> {
  const pins = suites.flatMap((suite) => {
    const pinned = readPinOf(suite.file);
    return pinned === undefined ? [] : [{ suite, pinned }];
  });
  if (pins.length === 0) return [];
  const wanted = await serversToLint(
    pins.map(({ suite }) => suite),
    undefined,
    serversFor,
  );
  // A server that cannot be listed is skipped. The test that follows reports the reason.
  const listed = await listServers(wanted, options, own).catch(() => undefined);
  if (listed === undefined) return [];
  const changed = pins.flatMap(({ suite: { file }, pinned }) =>
    changedSincePin(
      file,
      pinned,
      listed.filter(({ files }) => files.includes(file)),
    ),
  );
  for (const { file, serverName, rule, message } of changed) {
    printNotice(`${file}: ${serverName}: ${rule}: ${message}`);
  }
  return changed.map(({ serverName, message }) => ({ serverName: serverName ?? '', message }));
}
