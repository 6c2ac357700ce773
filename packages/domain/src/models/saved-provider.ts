/**
 * Model providers that are kept in the database. Those of the operator are for all organizations; those of an organization
 * are for it alone, with their addresses and keys. Where several have one name the word of the operator counts, and
 * that of the file before all: nobody else changes where the operator's keys and models go.
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
  /** The kind's own address where there is none. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly models: readonly ProviderModel[];
  readonly requestsAtOnce: number | null;
}

export interface SavedProvider extends ProviderDefinition {
  readonly id: string;
  /** None where it is the operator's. */
  readonly organizationId: string | null;
  readonly name: string;
  /** Grows with every change. */
  readonly revision: number;
}

/** Who named a provider. */
export const providerSources = ['file', 'operator', 'organization'] as const;
export type ProviderSource = (typeof providerSources)[number];

/** Of the saved ones those that count beside the file. */
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

/** Left out, the key stays; null takes it away. An address may come back as it was shown. */
export interface ProviderEdit extends Omit<ProviderDefinition, 'apiKey'> {
  readonly apiKey?: string | null | undefined;
}

/**
 * A key belongs to the origin it was given for: moved elsewhere, the provider loses it, unless the edit brings one.
 * Otherwise whoever may edit a provider could have its key sent to them.
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
    const message = 'A key has visible characters of ASCII alone, and at most 4,096.';
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
 * Callers send keys by the name of a provider. A name that everybody knows goes to whom it names, in an organization as
 * elsewhere; only the operator says otherwise.
 */
export function misleadingName(
  name: string,
  { kind, baseUrl }: Pick<ProviderDefinition, 'kind' | 'baseUrl'>,
): Refusal | undefined {
  const isKnown = (knownProviderKinds as readonly string[]).includes(name);
  if (!isKnown || (kind === name && baseUrl === null)) return undefined;
  const message = `Keys for ${name} go to ${name} itself; give a provider elsewhere another name.`;
  return invalid(kind === name ? 'body.baseUrl' : 'body.kind', message, { reason: 'KNOWN_NAME' });
}

/** Which fields an edit changes, by name; nothing of what stands in them. */
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
    ? invalid('body.baseUrl', 'A provider of this kind needs its address.')
    : invalid('body.apiKey', 'This provider offers models and needs a key for them.');
}
