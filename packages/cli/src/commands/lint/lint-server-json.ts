/**
 * Checks a `server.json` and every transport in it. A transport that does not start or answer
 * becomes a finding, so the other transports are still reported.
 */
import {
  checkServerJson,
  type SeenServer,
  type ServerJsonFinding,
  type ServerToTest,
  transportsOfServerJson,
} from '@proofmark/domain';
import { printNotice } from '../../output.ts';
import type { SurfaceFinding } from '../../remote/surface-finding.ts';
import type { TrustFlags } from '../../trust/require-trust.ts';
import type { ListedServer, OwnService, ServiceFlags } from '../test/open-service.ts';
import { readEntry, readServerJson, type ServerJsonFile } from '../test/servers-of-file.ts';

export interface LintedServerJson {
  readonly server:
    | (ListedServer & { readonly name: string; readonly files: readonly string[] })
    | undefined;
  readonly findings: readonly SurfaceFinding[];
}

/**
 * Asks the user to permit the programs and addresses in the file. No program is started before the
 * returned function is called.
 */
export async function serverJsonToLint(
  file: string,
  flags: TrustFlags & ServiceFlags,
): Promise<((own: OwnService) => Promise<LintedServerJson>) | undefined> {
  const read = await readServerJson(file);
  if (read === undefined) return undefined;
  const stated = transportsOfServerJson(read.content, read.beside, process.env);
  const transports: { path: string; server: ServerToTest }[] = [];
  for (const one of stated) {
    transports.push({ path: one.path, server: await readEntry(file, one, flags) });
  }
  return async (own) => {
    const lister = await own.openLister({ ...flags, isTyped: false });
    let first: LintedServerJson['server'];
    const failed: { path: string; message: string }[] = [];
    try {
      for (const { path, server } of transports) {
        try {
          const listed = await lister.list(server);
          first ??= { name: server.name, files: [file], ...listed };
        } catch (error) {
          failed.push({ path, message: (error as Error).message });
        }
      }
    } finally {
      await lister.stop();
    }
    const { content, beside } = read;
    const found = checkServerJson({ file: content, beside, seen: first, failed });
    return { server: first, findings: found.map((one) => placed(one, file, first?.name ?? null)) };
  };
}

/** Prints the findings of the `server.json` that provides a command's server. */
export async function warnOfServerJson(file: string | undefined, seen?: SeenServer): Promise<void> {
  const read: ServerJsonFile | undefined =
    file === undefined ? undefined : await readServerJson(file);
  if (read === undefined) return;
  const { content, beside } = read;
  for (const { rule, path, message } of checkServerJson({ file: content, beside, seen })) {
    printNotice(`warning: ${file} ${path}: ${message} (${rule})`);
  }
}

function placed(
  { rule, severity, path, message, reason }: ServerJsonFinding,
  file: string,
  serverName: string | null,
): SurfaceFinding {
  return { rule, severity, serverName, file, path, message, reason, trials: [] };
}
