/**
 * Model providers in the database. The operator's providers serve all organizations; an
 * organization's providers serve only that organization. If several providers have the same name,
 * the operator's file wins, then the operator's provider in the database. So nobody else can
 * redirect the operator's keys and models.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { credentialChange } from '../servers/credentials-after-edit.ts';
import { maskUrl } from '../servers/masked-url.ts';
import { maskedUrlProblem, serverUrlProblem } from '../servers/server-url.ts';
import { knownProviderKinds, type ModelProviderKind, providerAddress } from './provider-kinds.ts';
import {
  type ProviderModel,
  type ProviderProblem,
  providerKeyPattern,
  providerProblem,
} from './provider-settings.ts';

export interface ProviderDefinition {
  readonly kind: ModelProviderKind;
  /** The base URL; null for the default address of the kind. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly models: readonly ProviderModel[];
  readonly requestsAtOnce: number | null;
}

export interface SavedProvider extends ProviderDefinition {
  readonly id: string;
  /** The id of the organization; null for a provider of the operator. */
  readonly organizationId: string | null;
  readonly name: string;
  readonly revision: number;
}

export const providerSources = ['file', 'operator', 'organization'] as const;
export type ProviderSource = (typeof providerSources)[number];

/**
 * A name in the operator's file hides every saved provider of that name. A saved provider of the
 * operator hides those of organizations with the same name.
 */
export function savedInForce(
  namesInFile: readonly string[],
  saved: readonly SavedProvider[],
): SavedProvider[] {
  const ofOperator = saved.filter(({ organizationId }) => organizationId === null);
  const isOperators = (name: string) => ofOperator.some((one) => one.name === name);
  return saved.filter(
    ({ name, organizationId }) =>
      !namesInFile.includes(name) && (organizationId === null || !isOperators(name)),
  );
}

/**
 * An edit of a provider. An absent key keeps the stored key; null removes it. The address may be
 * sent back masked, as it was shown.
 */
export interface ProviderEdit extends Omit<ProviderDefinition, 'apiKey'> {
  readonly apiKey?: string | null | undefined;
}

/**
 * Applies an edit. A key belongs to the origin of its provider's address. If the edit changes the
 * origin, the stored key is removed, unless the edit contains a new key. Otherwise everyone who may
 * edit a provider could have its key sent to an address of their own.
 */
export function editProvider(
  stored: ProviderDefinition | undefined,
  edit: ProviderEdit,
): { readonly definition: ProviderDefinition } | { readonly refusal: Refusal } {
  const { kind, models, requestsAtOnce } = edit;
  const asShown = stored?.baseUrl != null && edit.baseUrl === maskUrl(stored.baseUrl);
  const baseUrl = asShown ? stored.baseUrl : edit.baseUrl;
  const badUrl =
    baseUrl === null || asShown
      ? undefined
      : (serverUrlProblem(baseUrl, 'the key') ?? maskedUrlProblem(baseUrl));
  if (badUrl !== undefined) return { refusal: invalid('body.baseUrl', badUrl) };
  if (edit.apiKey != null && !providerKeyPattern.test(edit.apiKey)) {
    const message =
      'A key can have at most 4,096 characters, all of them visible ASCII characters.';
    return { refusal: invalid('body.apiKey', message) };
  }
  const change = credentialChange({
    storedUrls: [stored === undefined ? null : providerAddress(stored.kind, stored.baseUrl)],
    nextUrls: [providerAddress(kind, baseUrl)],
    given: edit.apiKey ?? undefined,
    clear: edit.apiKey === null,
  });
  const kept = change.kind === 'keep' ? (stored?.apiKey ?? null) : null;
  const apiKey = change.kind === 'replace' ? change.value : kept;
  const problem = providerProblem({ kind, baseUrl, hasKey: apiKey !== null, models });
  if (problem !== undefined) return { refusal: refusalOf(problem) };
  return { definition: { kind, baseUrl, apiKey, models, requestsAtOnce } };
}

/**
 * Callers send keys by provider name, so a well-known name must mean the same provider in every
 * organization. Only the operator may change its meaning.
 */
export function misleadingName(
  name: string,
  { kind, baseUrl }: Pick<ProviderDefinition, 'kind' | 'baseUrl'>,
): Refusal | undefined {
  const isKnown = (knownProviderKinds as readonly string[]).includes(name);
  if (!isKnown || (kind === name && baseUrl === null)) return undefined;
  const message = `The name ${name} always means the provider ${name} at its own address; use another name for another provider or address.`;
  return invalid(kind === name ? 'body.baseUrl' : 'body.kind', message, { reason: 'KNOWN_NAME' });
}

export function changedProviderFields(
  stored: ProviderDefinition | undefined,
  next: ProviderDefinition,
): string[] {
  return (['kind', 'baseUrl', 'apiKey', 'models', 'requestsAtOnce'] as const).filter(
    (field) => JSON.stringify(stored?.[field] ?? null) !== JSON.stringify(next[field]),
  );
}

function refusalOf(problem: ProviderProblem): Refusal {
  if ('twin' in problem) {
    return invalid('body.models', `The model ${problem.twin} is named twice.`);
  }
  return problem.lacks === 'address'
    ? invalid('body.baseUrl', 'A provider of this kind needs an address.')
    : invalid('body.apiKey', 'This provider needs a key for its models.');
}
