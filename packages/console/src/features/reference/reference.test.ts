import { describe, expect, test } from 'vitest';
import type { ApiDocument, DocumentedSchema, Schemas } from '../../kit/schemas/api-document.ts';
import { schemaFields } from '../../kit/schemas/schema-fields.ts';
import { limitsOf, typeWords } from '../../kit/schemas/schema-words.ts';
import { curlExample } from './curl-example.ts';
import { filterReference, readReference } from './read-reference.ts';

const schemas: Schemas = {
  Id: { type: 'string', minLength: 1, maxLength: 128 },
  Node: {
    type: 'object',
    description: 'A node.',
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    },
    required: ['id'],
  },
  Cat: { type: 'object', properties: { kind: { const: 'cat' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', properties: { kind: { const: 'dog' } } },
};
const named = (name: string): DocumentedSchema => ({ $ref: `#/components/schemas/${name}` });
const paths = (schema: DocumentedSchema) =>
  schemaFields(schema, schemas).map((field) => field.path);

describe('the fields of a schema', () => {
  test('carry their path, type, requirement and limits, references followed', () => {
    const schema: DocumentedSchema = {
      type: 'object',
      properties: { owner: named('Id') },
      required: ['owner'],
    };
    expect(schemaFields(schema, schemas)).toEqual([
      {
        path: 'owner',
        depth: 0,
        type: 'string',
        required: true,
        description: '',
        limits: ['1 to 128 characters'],
      },
    ]);
  });

  test('of nested lists and objects follow their parent', () => {
    const schema: DocumentedSchema = {
      type: 'object',
      properties: { items: { type: 'array', items: named('Cat') }, next: { type: 'string' } },
    };
    expect(paths(schema)).toEqual(['items', 'items[].kind', 'items[].lives', 'next']);
  });

  test('of a schema that holds itself end', () => {
    expect(paths(named('Node'))).toEqual(['id', 'children']);
  });

  test('the same schema may stand twice side by side', () => {
    const schema: DocumentedSchema = {
      type: 'object',
      properties: { a: named('Dog'), b: named('Dog') },
    };
    expect(paths(schema)).toEqual(['a', 'a.kind', 'b', 'b.kind']);
  });

  test('allOf reads as one object with all that is required', () => {
    const schema: DocumentedSchema = {
      allOf: [named('Node'), { properties: { extra: { type: 'boolean' } }, required: ['extra'] }],
    };
    const fields = schemaFields(schema, schemas);
    expect(fields.map(({ path, required }) => [path, required])).toEqual([
      ['id', true],
      ['children', false],
      ['extra', true],
    ]);
  });

  test('alternatives of a union stand under their own name', () => {
    const fields = schemaFields({ oneOf: [named('Cat'), named('Dog')] }, schemas);
    const labels = fields.map((field) => (field.isAlternative ? `= ${field.type}` : field.path));
    expect(labels).toEqual(['= Cat', 'kind', 'lives', '= Dog', 'kind']);
  });

  test('a nullable object shows its fields without alternatives', () => {
    const schema: DocumentedSchema = {
      type: 'object',
      properties: { pet: { anyOf: [named('Cat'), { type: 'null' }] } },
    };
    expect(paths(schema)).toEqual(['pet', 'pet.kind', 'pet.lives']);
    expect(schemaFields(schema, schemas)[0]?.type).toBe('object or null');
  });

  test('objects with names of any kind show what their values hold', () => {
    const schema: DocumentedSchema = {
      type: 'object',
      properties: { byName: { type: 'object', additionalProperties: named('Dog') } },
    };
    expect(paths(schema)).toEqual(['byName', 'byName.*.kind']);
  });
});

describe('types and limits in words', () => {
  test.each([
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'object of string by name'],
    [{ type: 'object', additionalProperties: {} }, 'object'],
    [{ const: true }, 'true'],
    [{ type: 'string', enum: ['http'] }, '"http"'],
    [{ oneOf: [named('Cat'), named('Dog')] }, 'Cat or Dog'],
    [{}, 'anything'],
  ] satisfies [DocumentedSchema, string][])('%j', (schema, words) => {
    expect(typeWords(schema, schemas)).toBe(words);
  });

  test('limits name choices, ranges and defaults, not the generator’s largest integer', () => {
    expect(limitsOf({ enum: ['a', 'b'], default: 'a' }, schemas)).toEqual([
      'one of a, b',
      'default "a"',
    ]);
    expect(limitsOf({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, schemas)).toEqual([
      'at least 1',
    ]);
  });
});

describe('the reference', () => {
  const document: ApiDocument = {
    info: { title: 'T', version: '1' },
    servers: [{ url: '/api/v1' }],
    tags: [{ name: 'Empty' }, { name: 'Pets', description: 'All pets.' }],
    paths: {
      '/owners/{ownerId}/pets': {
        post: {
          operationId: 'createPet',
          tags: ['Pets'],
          summary: 'Create a pet',
          requestBody: { content: { 'application/json': { schema: named('Cat') } } },
          responses: {
            201: {
              description: 'Success.',
              content: { 'application/json': { schema: named('Node') } },
            },
            400: { description: 'VALIDATION_ERROR: It is wrong. FORBIDDEN: Not allowed.' },
          },
        },
        get: { operationId: 'listPets', tags: ['Pets'], summary: 'List pets' },
      },
    },
  };
  const groups = readReference(document, 'http://127.0.0.1:3300');

  test('groups operations by tag and leaves empty groups out', () => {
    expect(groups.map((group) => [group.tag, group.operations.map(({ id }) => id)])).toEqual([
      ['Pets', ['listPets', 'createPet']],
    ]);
  });

  test('splits the codes of one status into sentences', () => {
    expect(groups[0]?.operations[1]?.errors).toEqual([
      { status: '400', sentences: ['VALIDATION_ERROR: It is wrong.', 'FORBIDDEN: Not allowed.'] },
    ]);
  });

  test('filters by every word, in any place', () => {
    const ids = (text: string) =>
      filterReference(groups, text).flatMap((group) => group.operations.map(({ id }) => id));
    expect(ids('post PETS')).toEqual(['createPet']);
    expect(ids('')).toHaveLength(2);
    expect(ids('invoice')).toEqual([]);
  });
});

describe('the curl example', () => {
  test('fills the required fields and is safe to paste into a shell', () => {
    const body: DocumentedSchema = {
      type: 'object',
      properties: { name: { type: 'string', default: "it's" }, note: { type: 'string' } },
      required: ['name'],
    };
    expect(curlExample('POST', 'http://h/projects/{projectId}', body, {})).toBe(
      [
        'curl -X POST "http://h/projects/$PROJECT_ID" \\',
        '  -H "Authorization: Bearer $PROOFMARK_API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '{"name":"it'\\''s"}'`,
      ].join('\n'),
    );
  });

  test('of an edit changes one field', () => {
    const body: DocumentedSchema = { type: 'object', properties: { a: { type: 'string' }, b: {} } };
    expect(curlExample('PATCH', 'http://h/x', body, {})).toContain(`-d '{"a":"example"}'`);
  });
});
