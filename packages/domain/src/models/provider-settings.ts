/**
 * The settings of a model provider, from the operator's file, the operator at a terminal, or an
 * owner of an organization. They must suffice to run the hosted models: a key for a kind that
 * requires one, an address for an OpenAI-compatible server.
 */
import * as z from 'zod';
import { lexicalModelId } from '../clients/lexical-model.ts';
import { type ModelProviderKind, providerAddress, runsWithoutKey } from './provider-kinds.ts';

export const ProviderName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'A name has 1 to 64 lower-case letters, digits, dots, underscores and hyphens, and begins with a letter or a digit.',
  )
  .refine((name) => !lexicalModelId.startsWith(`${name}/`), 'This name is reserved by Proofmark.');

const Price = z.number().min(0, 'A price must not be negative.');

/**
 * A hosted model, offered as `<provider name>/<model name>`. Prices are in US dollars for a million
 * tokens.
 */
export const ProviderModel = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    inputPerMillion: Price.optional(),
    outputPerMillion: Price.optional(),
    images: z.boolean().optional(),
  })
  .refine(
    (model) => (model.inputPerMillion === undefined) === (model.outputPerMillion === undefined),
    'A price needs both inputPerMillion and outputPerMillion.',
  );
export type ProviderModel = z.infer<typeof ProviderModel>;

export const ProviderModels = z.array(ProviderModel).max(500);
export const RequestsAtOnce = z.int().min(1).max(1000);

/**
 * A key of 1 to 4,096 printable ASCII characters without spaces. A header cannot contain other
 * characters, and the error for an invalid header would quote the key.
 */
export const providerKeyPattern = /^[\x21-\x7e]{1,4096}$/;

export type ProviderProblem =
  | { readonly lacks: 'address' }
  | { readonly lacks: 'key' }
  | { readonly twin: string };

export function providerProblem(provider: {
  readonly kind: ModelProviderKind;
  readonly baseUrl?: string | null | undefined;
  readonly hasKey: boolean;
  readonly models: readonly { readonly name: string }[];
}): ProviderProblem | undefined {
  const { kind, baseUrl, hasKey, models } = provider;
  if (providerAddress(kind, baseUrl) === null) return { lacks: 'address' };
  if (!runsWithoutKey(kind) && models.length > 0 && !hasKey) return { lacks: 'key' };
  const names = models.map((model) => model.name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  return twin === undefined ? undefined : { twin };
}
