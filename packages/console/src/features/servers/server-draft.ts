/**
 * The state of a server editor. The page never receives the values of stored credentials, so each
 * is either kept or replaced. Saving sends only changed fields.
 */
import type { BodyInputOf, ProjectServer } from '@proofmark/contract';
import { mostMaxMessageMiB } from '@proofmark/domain';
import type { FieldProblems } from '../../kit/data/field-problems.ts';
import { type HeaderRow, headersOf } from './header-rows.ts';

export interface ServerDraft {
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly timeout: string;
  readonly maxMessageMiB: string;
  readonly headers: readonly HeaderRow[] | 'kept';
  readonly useOAuth: boolean;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly removeClientSecret: boolean;
  readonly scopes: string;
}

export type DraftOutcome<Body> = { readonly body: Body } | { readonly problems: FieldProblems };

export const emptyDraft: ServerDraft = {
  name: '',
  url: '',
  enabled: true,
  timeout: '',
  maxMessageMiB: '',
  headers: [],
  useOAuth: false,
  clientId: '',
  clientSecret: '',
  removeClientSecret: false,
  scopes: '',
};

export function draftOf(server: ProjectServer): ServerDraft {
  return {
    ...emptyDraft,
    name: server.name,
    url: server.url ?? '',
    enabled: server.enabled,
    timeout: server.timeout === null ? '' : String(server.timeout),
    maxMessageMiB: server.maxMessageMiB === null ? '' : String(server.maxMessageMiB),
    headers: server.headerNames.length > 0 ? 'kept' : [],
    useOAuth: server.useOAuth,
    clientId: server.clientId ?? '',
    scopes: server.oauthScopes.join(' '),
  };
}

export function createBody(draft: ServerDraft): DraftOutcome<BodyInputOf<'createProjectServer'>> {
  const { headers, problems } = checked(draft);
  if (Object.keys(problems).length > 0) return { problems };
  return {
    body: {
      name: draft.name.trim(),
      enabled: draft.enabled,
      transportType: 'http',
      url: draft.url.trim(),
      ...(draft.timeout.trim() !== '' && { timeout: Number(draft.timeout) }),
      ...(draft.maxMessageMiB.trim() !== '' && { maxMessageMiB: Number(draft.maxMessageMiB) }),
      ...(headers !== undefined && Object.keys(headers).length > 0 && { headers }),
      ...(draft.useOAuth && { useOAuth: true }),
      ...(draft.useOAuth && draft.clientId.trim() !== '' && { clientId: draft.clientId.trim() }),
      ...(newSecret(draft) !== undefined && { clientSecret: draft.clientSecret }),
      ...(draft.useOAuth && draft.scopes.trim() !== '' && { oauthScopes: scopesOf(draft) }),
    },
  };
}

/** Returns an empty body if nothing has changed. */
export function updateBody(
  draft: ServerDraft,
  server: ProjectServer,
): DraftOutcome<BodyInputOf<'updateProjectServer'>> {
  const { headers, problems } = checked(draft);
  if (Object.keys(problems).length > 0) return { problems };
  const before = draftOf(server);
  const scopesChanged = scopesOf(draft).join(' ') !== server.oauthScopes.join(' ');
  const headersChanged =
    headers !== undefined && (Object.keys(headers).length > 0 || server.headerNames.length > 0);
  return {
    body: {
      ...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
      ...(draft.url.trim() !== before.url && { url: draft.url.trim() }),
      ...(draft.enabled !== before.enabled && { enabled: draft.enabled }),
      ...(draft.timeout.trim() !== before.timeout && { timeout: orNull(draft.timeout, Number) }),
      ...(draft.maxMessageMiB.trim() !== before.maxMessageMiB && {
        maxMessageMiB: orNull(draft.maxMessageMiB, Number),
      }),
      ...(headersChanged && { headers }),
      ...(draft.useOAuth !== before.useOAuth && { useOAuth: draft.useOAuth }),
      ...(draft.useOAuth &&
        draft.clientId.trim() !== before.clientId && { clientId: orNull(draft.clientId, String) }),
      ...(newSecret(draft) !== undefined && { clientSecret: draft.clientSecret }),
      ...(draft.removeClientSecret &&
        server.hasClientSecret && { clearClientSecret: true as const }),
      ...(draft.useOAuth && scopesChanged && { oauthScopes: scopesOf(draft) }),
    },
  };
}

export function newSecret(draft: ServerDraft): string | undefined {
  const given = draft.useOAuth && !draft.removeClientSecret && draft.clientSecret !== '';
  return given ? draft.clientSecret : undefined;
}

function checked(draft: ServerDraft) {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems['name'] = 'Enter a name.';
  if (draft.url.trim() === '') problems['url'] = 'Enter the address of the server.';
  if (!/^\d{0,6}$/.test(draft.timeout.trim())) {
    problems['timeout'] = 'Enter a whole number of milliseconds, at most 600000.';
  }
  const most = draft.maxMessageMiB.trim();
  if (most !== '' && !(/^[1-9]\d?$/.test(most) && Number(most) <= mostMaxMessageMiB)) {
    problems['maxMessageMiB'] = `Enter a whole number of MiB, from 1 to ${mostMaxMessageMiB}.`;
  }
  if (draft.headers === 'kept') return { headers: undefined, problems };
  const rows = headersOf(draft.headers);
  return { headers: rows.headers, problems: { ...problems, ...rows.problems } };
}

/** Returns null for an empty field: null clears the field on the service. */
function orNull<Value>(text: string, value: (text: string) => Value): Value | null {
  return text.trim() === '' ? null : value(text.trim());
}

function scopesOf(draft: ServerDraft): string[] {
  return draft.scopes.split(/[\s,]+/).filter((scope) => scope !== '');
}
