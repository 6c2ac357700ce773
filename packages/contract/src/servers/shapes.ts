import {
  doctorChecks,
  doctorStatuses,
  headerProblem,
  maskedUrlProblem,
  mostMaxMessageMiB,
  serverUrlProblem,
  transportTypes,
} from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, deletedShape, Id, Instant, Name, pageOf } from '../fields.ts';

export const ProjectServerHealth = z
  .object({
    status: z.enum(doctorStatuses),
    failedCheck: z.enum(doctorChecks).nullable().meta({
      description: 'The first check that did not pass.',
    }),
    checkedAt: Instant,
  })
  .meta({
    id: 'ProjectServerHealth',
    description:
      'An addition of Proofmark beyond the specification: the result of the last examination of the server.',
  });

export const ProjectServer = z
  .object({
    id: Id,
    projectId: Id,
    name: z.string(),
    enabled: z.boolean(),
    transportType: z.enum(transportTypes),
    url: z.string().nullable().meta({
      description:
        'null for a stdio server of the operator. *** replaces values of the query and long parts of the path that may be secrets; parts sent back as *** stay unchanged.',
    }),
    timeout: z.number().int().nullable().meta({ description: 'Milliseconds; null: the default.' }),
    maxMessageMiB: z.number().int().nullable().meta({
      description:
        'An addition of Proofmark beyond the specification: the size limit of one message of the server, in MiB; null for the default.',
    }),
    clientCapabilities: z.record(z.string(), z.unknown()).nullable(),
    useOAuth: z.boolean(),
    oauthScopes: z.array(z.string()),
    oauthResourceUrl: z.string().nullable().meta({ description: 'Masked in the same way as url.' }),
    clientId: z.string().nullable(),
    hasClientSecret: z.boolean(),
    headerNames: z
      .array(z.string())
      .meta({ description: 'Names of the stored headers. Their values are never returned.' }),
    health: ProjectServerHealth.optional().meta({
      description: 'Absent until the doctor has examined the server in its saved state.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'ProjectServer', description: 'A saved MCP server.' });
export type ProjectServer = z.infer<typeof ProjectServer>;

export const ProjectServerPage = pageOf(ProjectServer, 'ProjectServerPage');
export const ProjectServerDeleted = deletedShape('ProjectServerDeleted');

const Url = checkedText(2048, serverUrlProblem).meta({ format: 'uri' });

const Headers = z.record(z.string(), z.string().max(8192)).superRefine((headers, context) => {
  const names = Object.keys(headers);
  if (names.length > 64) {
    context.addIssue({ code: 'custom', message: 'At most 64 headers.' });
    return;
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    context.addIssue({ code: 'custom', message: 'A header is given twice.' });
  }
  for (const name of names) {
    const message = headerProblem(name, headers[name] as string);
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
  }
});

/**
 * Fields that would start a program on the service's machine, which a saved server must never do.
 * They get a separate error message.
 */
const operatorFields = ['command', 'args', 'env'];
const closed = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' && issue.keys.some((key) => operatorFields.includes(key))
      ? 'stdio servers come from the operator’s configuration file, not over HTTP.'
      : undefined,
};

const writable = {
  name: Name,
  enabled: z.boolean(),
  transportType: z.literal('http', {
    error: 'transportType must be http; stdio servers come from the operator’s configuration file.',
  }),
  url: Url,
  headers: Headers,
  timeout: z.number().int().min(1).max(600_000),
  maxMessageMiB: z.number().int().min(1).max(mostMaxMessageMiB),
  clientCapabilities: z.record(z.string(), z.unknown()),
  useOAuth: z.boolean(),
  oauthScopes: z.array(z.string().min(1).max(256)).max(64),
  oauthResourceUrl: checkedText(2048, serverUrlProblem),
  clientId: z.string().min(1).max(512),
  clientSecret: z.string().min(1).max(4096),
};

export const ProjectServerCreateRequest = z
  .strictObject(writable, closed)
  .partial()
  .required({ name: true, enabled: true, transportType: true, url: true })
  .superRefine(({ url, oauthResourceUrl = '' }, context) => {
    for (const [name, text] of Object.entries({ url, oauthResourceUrl })) {
      const message = maskedUrlProblem(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
    }
  })
  .meta({ id: 'ProjectServerCreateRequest' });

export const ProjectServerUpdateRequest = atLeastOneField(
  z
    .strictObject(
      {
        ...writable,
        timeout: writable.timeout.nullable(),
        maxMessageMiB: writable.maxMessageMiB.nullable(),
        clientCapabilities: writable.clientCapabilities.nullable(),
        oauthResourceUrl: writable.oauthResourceUrl.nullable(),
        clientId: writable.clientId.nullable(),
        clearClientSecret: z.literal(true),
      },
      closed,
    )
    .partial(),
).meta({
  id: 'ProjectServerUpdateRequest',
  description:
    'headers replaces all stored headers ({} removes them); null clears timeout, maxMessageMiB, clientCapabilities, oauthResourceUrl or clientId. A url on another origin drops stored headers and client secret unless the same request brings new ones.',
});

function checkedText(longest: number, problem: (text: string) => string | undefined) {
  return z
    .string()
    .max(longest)
    .superRefine((text, context) => {
      const message = problem(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
}
