/**
 * A server of a suite file: its name, and optionally how to reach it, by an address or by a
 * command. The command line starts or calls it; a service stores these fields only to write the
 * file again, and uses its saved servers.
 */
import * as z from 'zod';

const reachFields = {
  url: z
    .url({ protocol: /^https?$/, error: 'url must be an http or https address.' })
    .max(2000)
    .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), {
      error: 'url must not contain a user or a password; a suite file is no place for secrets.',
    })
    .optional(),
  command: z.string().min(1).max(1000).optional(),
  args: z.array(z.string().max(10_000)).max(200).optional(),
  /** Only names: values come from the environment of the command line. */
  env: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'env lists names of variables, without values.'),
    )
    .max(100)
    .optional(),
  /** Relative to the folder of the suite file. */
  cwd: z.string().min(1).max(1000).optional(),
};

/** The shape of a server in a file, whose fields `named` may restrict its name. */
export function suiteServer<Name extends z.ZodType<string>>(name: Name) {
  return z
    .strictObject({ name, id: z.string().min(1).max(128).optional(), ...reachFields })
    .superRefine(({ url, command, args, env, cwd }, context) => {
      const add = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (url !== undefined && command !== undefined) {
        add('command', 'A server has either a url or a command; remove one of them.');
      }
      for (const [field, value] of Object.entries({ args, env, cwd })) {
        if (value !== undefined && command === undefined) add(field, `${field} needs a command.`);
      }
    });
}

export const SuiteServer = suiteServer(z.string());
export type SuiteServer = z.infer<typeof SuiteServer>;
