/**
 * The parts of the published `server.json` schema (MCP registry, 2025-12-11) that decide whether a
 * registry accepts the file. No npm package contains this schema. Fields of later versions are
 * allowed.
 */
import * as z from 'zod';

const Url = z.string().regex(/^https?:\/\/\S+$/, 'must be an http or https address.');

const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
};
const Input = z.looseObject(input);
const variables = { variables: z.record(z.string(), Input).optional() };
const NamedValue = z.looseObject({ ...input, ...variables, name: z.string() });

const Argument = z.discriminatedUnion('type', [
  z
    .looseObject({
      ...input,
      ...variables,
      type: z.literal('positional'),
      valueHint: z.string().optional(),
    })
    .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined, {
      error: 'A positional argument needs a value or a valueHint.',
    }),
  z.looseObject({ ...input, ...variables, type: z.literal('named'), name: z.string() }),
]);

const remote = { url: Url, headers: z.array(NamedValue).optional() };
const Remote = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('streamable-http'), ...remote, ...variables }),
  z.looseObject({ type: z.literal('sse'), ...remote, ...variables }),
]);

const Package = z.looseObject({
  registryType: z.string(),
  registryBaseUrl: Url.optional(),
  identifier: z.string(),
  version: z
    .string()
    .min(1)
    .refine((version) => version !== 'latest', 'must be one version, not latest.')
    .optional(),
  fileSha256: z
    .string()
    .regex(/^[a-f0-9]{64}$/, 'must be a SHA-256 in hexadecimal digits.')
    .optional(),
  runtimeHint: z.string().optional(),
  runtimeArguments: z.array(Argument).optional(),
  packageArguments: z.array(Argument).optional(),
  environmentVariables: z.array(NamedValue).optional(),
  transport: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('stdio') }),
    z.looseObject({
      type: z.literal('streamable-http'),
      url: z.string(),
      headers: z.array(NamedValue).optional(),
    }),
    z.looseObject({
      type: z.literal('sse'),
      url: z.string(),
      headers: z.array(NamedValue).optional(),
    }),
  ]),
});

export const ServerJson = z.looseObject({
  $schema: z.url().optional(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(
      /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/,
      'must be a namespace and a name, as io.github.ann/weather.',
    ),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: z.string().min(1).max(255),
  websiteUrl: z.url().optional(),
  repository: z
    .looseObject({
      url: z.url(),
      source: z.string(),
      id: z.string().optional(),
      subfolder: z.string().optional(),
    })
    .optional(),
  packages: z.array(Package).optional(),
  remotes: z.array(Remote).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});
