/**
 * How a server that is started as a program is tested: by the command in its folder, or by an entry
 * of the operator's configuration file. The service starts no program that a person of the console
 * names.
 */

export interface ProgramDraft {
  readonly name: string;
  /** The command as it is typed in the folder: `node server.js`. */
  readonly command: string;
  /** The absolute path of the folder. */
  readonly folder: string;
}

export const emptyProgram: ProgramDraft = { name: '', command: '', folder: '' };

export function testCommands({ command, folder }: ProgramDraft): string {
  const start = oneLine(command);
  return [
    ...(folder.trim() === '' ? [] : [`cd ${quoted(folder.trim())}`]),
    `proofmark init --server-command ${quoted(start)}`,
    'proofmark test',
  ].join('\n');
}

/**
 * Returns the entry for `proofmark.config.json`. A shell starts the program, because an entry has no
 * folder and its command is an absolute path; `exec` makes the program the child of the service.
 */
export function operatorEntry(draft: ProgramDraft, projectId: string): string {
  const start = `exec ${oneLine(draft.command)}`;
  const folder = draft.folder.trim();
  const server = {
    name: draft.name.trim(),
    command: '/bin/sh',
    args: ['-c', folder === '' ? start : `cd ${quoted(folder)} && ${start}`],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    projectId,
  };
  return JSON.stringify({ stdioServers: [server] }, null, 2);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Quotes a text for a POSIX shell, unless it is a plain word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
