import type {
  ApiDocument,
  ApiOperation,
  DocumentedSchema,
  Schemas,
} from '../../kit/schemas/api-document.ts';
import { resolveSchema } from '../../kit/schemas/resolve-schema.ts';
import { type SchemaField, schemaFields } from '../../kit/schemas/schema-fields.ts';
import { limitsOf, typeWords } from '../../kit/schemas/schema-words.ts';
import { curlExample } from './curl-example.ts';

export interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly parameters: readonly (SchemaField & { readonly parameterIn: string })[];
  readonly request:
    | { readonly description: string; readonly fields: readonly SchemaField[] }
    | undefined;
  readonly answer: { readonly status: string; readonly fields: readonly SchemaField[] } | undefined;
  readonly errors: readonly { readonly status: string; readonly sentences: readonly string[] }[];
  readonly curl: string;
}

export interface ReferenceGroup {
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function readReference(document: ApiDocument, origin: string): ReferenceGroup[] {
  const baseUrl = origin + (document.servers?.[0]?.url ?? '');
  const groups = new Map(
    (document.tags ?? []).map((tag) => [tag.name, [] as ReferenceOperation[]]),
  );
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method] as ApiOperation | undefined;
      if (operation === undefined) continue;
      const tag = operation.tags?.[0] ?? 'Other';
      const read = readOperation(
        method,
        path,
        operation,
        document.components?.schemas ?? {},
        baseUrl,
      );
      groups.set(tag, [...(groups.get(tag) ?? []), read]);
    }
  }
  const described = new Map(document.tags?.map((tag) => [tag.name, tag.description ?? '']));
  return [...groups]
    .filter(([, operations]) => operations.length > 0)
    .map(([tag, operations]) => ({ tag, description: described.get(tag) ?? '', operations }));
}

export function filterReference(groups: readonly ReferenceGroup[], text: string): ReferenceGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const matches = (tag: string, one: ReferenceOperation) => {
    const all = [tag, one.id, one.method, one.path, one.summary, one.description]
      .join(' ')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((one) => matches(group.tag, one)),
    }))
    .filter((group) => group.operations.length > 0);
}

function readOperation(
  method: string,
  path: string,
  operation: ApiOperation,
  schemas: Schemas,
  baseUrl: string,
): ReferenceOperation {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const responses = Object.entries(operation.responses ?? {});
  const success = responses.find(([status]) => status.startsWith('2'));
  const answer = success?.[1].content?.['application/json']?.schema;
  return {
    id: operation.operationId ?? `${method}-${path}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? path,
    description: operation.description ?? '',
    deprecated: operation.deprecated ?? false,
    parameters: (operation.parameters ?? []).map((parameter) => {
      const field = valueField(parameter.name, parameter.schema ?? {}, schemas);
      return {
        ...field,
        parameterIn: parameter.in,
        required: parameter.required ?? false,
        description: parameter.description ?? field.description,
      };
    }),
    request: body && {
      description: resolveSchema(body, schemas).description ?? '',
      fields: schemaFields(body, schemas),
    },
    answer: success && { status: success[0], fields: schemaFields(answer, schemas) },
    errors: responses
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, response]) => ({
        status,
        sentences: errorSentences(response.description ?? ''),
      })),
    curl: curlExample(method.toUpperCase(), baseUrl + path, body, schemas),
  };
}

function valueField(name: string, schema: DocumentedSchema, schemas: Schemas): SchemaField {
  const resolved = resolveSchema(schema, schemas);
  return {
    path: name,
    depth: 0,
    type: typeWords(schema, schemas),
    required: false,
    description: resolved.description ?? '',
    limits: limitsOf(resolved, schemas),
  };
}

/**
 * Splits the description of a response into sentences. Each explains one error code in the form
 * `CODE: meaning.`
 */
function errorSentences(description: string): string[] {
  return description.split(/(?=\b[A-Z][A-Z_]{3,}: )/).map((sentence) => sentence.trim());
}
