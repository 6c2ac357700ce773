/**
 * A server of a suite file: its name, and optionally its address or command. Only the command line
 * uses the address or command. A service uses its saved servers; it stores these fields only for an
 * export of the file.
 */
import * as z from 'zod';
import { commandWords } from '../servers/client-file.ts';

const reachFields = {
  url: z
    .url({ protocol: /^https?$/, error: 'url must be an http or https address.' })
    .max(2000)
    .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), {
      error: 'url must not contain a user or a password; a suite file is no place for secrets.',
    })
    .optional(),
  headers: z
    .record(
      z
        .string()
        .max(200)
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'This is not the name of a header.'),
      z
        .string()
        .max(2000)
        .regex(
          /^[^$]*\$\{env:[A-Za-z_][A-Za-z0-9_]*\}[^$]*$/,
          `The value of a header must come from the environment, as in \${env:NAME}; a suite file is no place for secrets.`,
        ),
    )
    .optional(),
  /** Split into words if `args` is absent. */
  command: z.string().trim().min(1).max(1000).optional(),
  args: z.array(z.string().max(10_000)).max(200).optional(),
  /** Only names: values come from the environment of the command line. */
  env: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'env must list the names of variables, without values.'),
    )
    .max(100)
    .optional(),
  /** Relative to the folder of the suite file (default: that folder). */
  cwd: z
    .string()
    .min(1)
    .max(1000)
    .refine((folder) => !/^([/\\]|[A-Za-z]:)/.test(folder), {
      error: 'cwd must be relative to the folder of the suite file.',
    })
    .optional(),
};

/** `name` is the schema of the server's name, which may be stricter than a string. */
export function suiteServer<Name extends z.ZodType<string>>(name: Name) {
  return z
    .strictObject({ name, id: z.string().min(1).max(128).optional(), ...reachFields })
    .superRefine(({ url, headers, command, args, env, cwd }, context) => {
      const add = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (url !== undefined && command !== undefined) {
        add('command', 'A server has either a url or a command; remove one of them.');
      }
      for (const [field, value] of Object.entries({ args, env, cwd })) {
        if (value !== undefined && command === undefined)
          add(field, `${field} is allowed only with command.`);
      }
      if (headers !== undefined && url === undefined)
        add('headers', 'headers are allowed only with url.');
      if (command !== undefined && args === undefined && commandWords(command) === undefined) {
        add('command', 'command has a quote that is not closed.');
      }
    });
}

export const SuiteServer = suiteServer(z.string());
export type SuiteServer = z.infer<typeof SuiteServer>;

export interface StatedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns undefined if the server has no command. */
export function statedCommand({
  command,
  args,
}: Pick<SuiteServer, 'command' | 'args'>): StatedCommand | undefined {
  if (command === undefined) return undefined;
  if (args !== undefined) return { command, args };
  const [program, ...others] = commandWords(command) ?? [];
  return program === undefined ? undefined : { command: program, args: others };
}
