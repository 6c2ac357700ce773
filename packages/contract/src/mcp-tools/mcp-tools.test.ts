import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { effectOf } from '../operation.ts';
import { allOperations, operations } from '../operations.ts';
import { callMcpTool } from './call-mcp-tool.ts';
import { mcpTools, spendsMark } from './mcp-tool.ts';
import { inputSchemaOf } from './tool-input.ts';
import { notToolRows, type ToolRowId, toolRows } from './tool-rows.ts';

const left = new Map(
  Object.entries(notToolRows).flatMap(([why, ids]) => ids.map((id) => [id as string, why])),
);
const tool = (name: ToolRowId) => mcpTools().get(name)?.tool;

describe('which rows are tools', () => {
  test.each(allOperations.filter(({ surface }) => surface === 'api').map((row) => row.operationId))(
    '%s is a tool, or it is said why not',
    (operationId) => {
      const places = [operationId in toolRows, left.has(operationId)].filter(Boolean);
      expect(places, 'say in mcp-tools/tool-rows.ts whether this row is a tool').toHaveLength(1);
    },
  );

  test('what is for signed-in people or visitors is none, nor is an older path', () => {
    const rows = [...mcpTools().values()].map(({ row }) => row);
    expect(rows.filter((row) => row.surface !== 'api' || row.deprecated)).toEqual([]);
    expect(rows.every((row) => row.streams !== true || row.operationId === 'runDoctor')).toBe(true);
  });

  test('none says twice why it is left out', () => {
    expect(Object.values(notToolRows).flat()).toHaveLength(left.size);
  });
});

describe('what a tool says of itself', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  test.each([...mcpTools().values()].map((one) => [one.tool.name, one] as const))(
    '%s has schemas that compile, and all its arguments have a place',
    (_, { tool: one, row, traits }) => {
      expect(one.description.startsWith(`${row.summary}.`)).toBe(true);
      expect(one.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      ajv.compile(one.inputSchema);
      for (const name of traits.without ?? []) {
        expect(one.inputSchema['properties']).not.toHaveProperty(name);
      }
      if (one.outputSchema === undefined) expect(traits.isDeep).toBe(true);
      else {
        expect(one.outputSchema['type']).toBe('object');
        expect(JSON.stringify(one.outputSchema).length).toBeLessThan(4000);
        ajv.compile(one.outputSchema);
      }
    },
  );

  test('no tool takes a secret', () => {
    const arguments_ = [...mcpTools().values()].flatMap(({ argumentNames }) => [...argumentNames]);
    expect(
      arguments_.filter((name) => /secret|password|apikey|modelapikeys|token|headers/i.test(name)),
    ).toEqual([]);
  });

  test('reading is marked as reading, spending as spending, destroying as destroying', () => {
    expect(tool('getEvalRun')?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(tool('runDoctor')?.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: true,
    });
    expect(tool('callTool')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
    expect(tool('createEvalRun')).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
      _meta: { [spendsMark]: true },
    });
    for (const { row, tool: one } of mcpTools().values()) {
      expect(one.annotations.readOnlyHint).toBe(effectOf(row) === 'reads');
    }
    const spending = [...mcpTools().values()].filter(({ tool: { _meta } }) => _meta?.[spendsMark]);
    expect(spending.map(({ tool: { name } }) => name).sort()).toEqual([
      ...['createEvalRun', 'createEvalRunGroup', 'createEvalSuiteMutation', 'generateEvalCases'],
      ...['requestEvalRunInsights', 'requestEvalRunJudge', 'rerunEvalRun'],
    ]);
    // A tool that accepts model keys calls models, so its calls may cost money.
    for (const { row, tool: one } of mcpTools().values()) {
      const properties = inputSchemaOf(row, {})['properties'] as object;
      if ('modelApiKeys' in properties) expect(one._meta, one.name).toEqual({ [spendsMark]: true });
    }
  });

  test('path, query, page and body are one flat object', () => {
    expect(tool('listEvalRunIterations')?.inputSchema).toMatchObject({
      properties: { projectId: {}, runId: {}, result: {}, limit: { maximum: 50 }, cursor: {} },
      required: ['projectId', 'runId'],
    });
    expect(tool('callTool')?.inputSchema).toMatchObject({
      properties: { projectId: {}, serverId: {}, toolName: {}, parameters: {} },
      required: ['projectId', 'serverId', 'toolName'],
    });
  });
});

describe('a call', () => {
  const asked: unknown[] = [];
  const say = (name: ToolRowId, given: Record<string, unknown>, answer: unknown) =>
    callMcpTool(name, given, async (row, request) => {
      asked.push([row, request]);
      return { answer };
    });
  const last = () => asked.at(-1);

  test('puts each argument where the API expects it', async () => {
    const ids = { projectId: 'prj_1', serverId: 'srv_1' };
    await say('callTool', { ...ids, toolName: 'add', parameters: { a: 1 } }, {});
    expect(last()).toEqual([
      operations.callTool,
      { params: ids, query: {}, body: { toolName: 'add', parameters: { a: 1 } } },
    ]);
    await say('listProjectServers', { projectId: 'prj_1', limit: 500, cursor: 'c' }, {});
    expect(last()).toMatchObject([{}, { query: { limit: '50', cursor: 'c' } }]);
    await say('runDoctor', ids, {});
    expect(last()).toEqual([operations.runDoctor, { params: ids, query: {} }]);
    const launch = { projectId: 'prj_1', suiteId: 'evs_1', idempotencyKey: 'once' };
    await say('createEvalRun', launch, {});
    expect(last()).toEqual([
      operations.createEvalRun,
      {
        params: { projectId: 'prj_1' },
        query: {},
        body: { suiteId: 'evs_1' },
        idempotencyKey: 'once',
      },
    ]);
  });

  test.each([
    [{ projectId: 'prj_1', suiteId: 'evs_1', modelApiKeys: { a: 'sk' } }, 'modelApiKeys'],
    [{ suiteId: 'evs_1' }, 'projectId'],
    [{ projectId: '', suiteId: 'evs_1' }, 'projectId'],
  ])('with an argument too many or too few asks nobody: %j', async (given, path) => {
    const before = asked.length;
    const result = await say('createEvalRun', given, {});
    expect(result?.isError).toBe(true);
    expect(JSON.parse(result?.content[0]?.text ?? '')).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { path },
      nextAction: expect.stringContaining('call again'),
    });
    expect(result?.content[0]?.text).not.toContain('sk');
    expect(asked).toHaveLength(before);
  });

  test('of a tool that is not there is none', async () => {
    expect(await callMcpTool('deleteProject', {}, () => Promise.reject())).toBeUndefined();
  });
});
