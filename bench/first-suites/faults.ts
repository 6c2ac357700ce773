/**
 * Twenty faults, chosen before the first measurement. A wrapper puts a fault into a published
 * server by altering the server's messages.
 */
type Json = Readonly<Record<string, unknown>>;

export interface ListedTool extends Json {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
}

/**
 * The effect of a fault on a call: it alters the arguments, replaces the answer, or makes the
 * server crash or hang.
 */
export type Done = { readonly arguments: Json } | { readonly answer: Json } | 'crash' | 'hang';

export interface Fault {
  readonly id: string;
  readonly package: string;
  /**
   * Tools whose behavior or description the fault breaks. The fault counts as found if a case of
   * one of these tools fails.
   */
  readonly tools: readonly [string, ...string[]];
  readonly says: string;
  readonly list?: (tools: readonly ListedTool[]) => readonly ListedTool[];
  readonly call?: (args: Json) => Done | undefined;
  readonly result?: (result: Json) => Json;
}

const official = '@modelcontextprotocol/server-';

const ofDescriptions: readonly Fault[] = [
  {
    id: 'wrong-description',
    package: `${official}everything`,
    tools: ['get-sum'],
    says: 'get-sum has the description of a weather tool',
    list: altered('get-sum', () => ({ description: 'Returns the weather forecast for a city' })),
  },
  {
    id: 'swapped-descriptions',
    package: `${official}memory`,
    tools: ['read_graph', 'search_nodes'],
    says: 'read_graph and search_nodes have the description of the other',
    list: descriptionsSwapped('read_graph', 'search_nodes'),
  },
  {
    id: 'swapped-short-descriptions',
    package: '@wrtnlabs/calculator-mcp',
    tools: ['mul', 'sub'],
    says: 'mul and sub have the description of the other',
    list: descriptionsSwapped('mul', 'sub'),
  },
];

const ofSchemas: readonly Fault[] = [
  {
    id: 'swapped-parameters',
    package: `${official}cohort-heatmap`,
    tools: ['get-cohort-data'],
    says: 'get-cohort-data reads metric as periodType and the other way round',
    call: ({ metric, periodType, ...others }) => ({
      arguments: {
        ...others,
        ...(metric !== undefined && { periodType: metric }),
        ...(periodType !== undefined && { metric: periodType }),
      },
    }),
  },
  {
    id: 'swapped-types',
    package: `${official}everything`,
    tools: ['get-resource-reference'],
    says: 'get-resource-reference declares the type of resourceId for resourceType and the reverse',
    list: altered('get-resource-reference', ({ inputSchema }) => {
      const { resourceId, resourceType } = inputSchema['properties'] as Json;
      const properties = { resourceId: resourceType, resourceType: resourceId };
      return { inputSchema: { ...inputSchema, properties } };
    }),
  },
  {
    id: 'choice-unknown-to-server',
    package: `${official}cohort-heatmap`,
    tools: ['get-cohort-data'],
    says: 'the schema of get-cohort-data lists a periodType that the server refuses',
    list: altered('get-cohort-data', ({ inputSchema }) => {
      const known = inputSchema['properties'] as Record<string, Json>;
      const listed = known['periodType'] as { readonly enum: readonly string[] };
      const periodType = { ...listed, enum: [...listed.enum, 'quarterly'] };
      return { inputSchema: { ...inputSchema, properties: { ...known, periodType } } };
    }),
  },
  {
    id: 'undeclared-parameter',
    package: `${official}threejs`,
    tools: ['learn_threejs'],
    says: 'learn_threejs requires a topic that its schema does not have',
    call: (args) =>
      args['topic'] === undefined
        ? refused('MCP error -32602: Invalid arguments: topic: expected string, received undefined')
        : undefined,
  },
  {
    id: 'other-name',
    package: `${official}filesystem`,
    tools: ['list_allowed_folders'],
    says: 'list_allowed_directories is listed as list_allowed_folders, which the server does not know',
    list: altered('list_allowed_directories', () => ({ name: 'list_allowed_folders' })),
  },
  {
    id: 'missing-argument-accepted',
    package: `${official}filesystem`,
    tools: ['list_directory'],
    says: 'list_directory takes the current folder where the required path is missing',
    call: (args) => ({ arguments: { path: '.', ...args } }),
  },
  {
    id: 'wrong-type-accepted',
    package: `${official}everything`,
    tools: ['get-sum'],
    says: 'get-sum counts a text as 0',
    call: (args) => ({
      arguments: Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name, typeof value === 'number' ? value : 0]),
      ),
    }),
  },
];

const ofCalls: readonly Fault[] = [
  {
    id: 'crash-on-choice',
    package: 'mcp-mermaid',
    tools: ['generate_mermaid_diagram'],
    says: 'the server ends where theme is dark',
    call: ({ theme }) => (theme === 'dark' ? 'crash' : undefined),
  },
  {
    id: 'exception-on-choice',
    package: `${official}everything`,
    tools: ['get-annotated-message'],
    says: 'an exception is the answer where messageType is debug',
    call: ({ messageType }) =>
      messageType === 'debug'
        ? refused("Cannot read properties of undefined (reading 'priority')")
        : undefined,
  },
  {
    id: 'error-on-choice',
    package: `${official}customer-segmentation`,
    tools: ['get-customer-data'],
    says: 'a listed segment is refused in words',
    call: ({ segment }) => (segment === 'SMB' ? refused('Unsupported segment: SMB') : undefined),
  },
  {
    id: 'crash-on-0',
    package: '@wrtnlabs/calculator-mcp',
    tools: ['div'],
    says: 'the server ends where the divisor is 0',
    call: ({ b }) => (b === 0 ? 'crash' : undefined),
  },
  {
    id: 'crash-on-2',
    package: `${official}sequential-thinking`,
    tools: ['sequentialthinking'],
    says: 'the server ends at the second thought',
    call: ({ thoughtNumber }) => (thoughtNumber === 2 ? 'crash' : undefined),
  },
  {
    id: 'crash-on-empty-text',
    package: 'time-mcp',
    tools: ['relative_time'],
    says: 'the server ends where time is empty',
    call: ({ time }) => (time === '' ? 'crash' : undefined),
  },
  {
    id: 'crash-on-long-text',
    package: `${official}memory`,
    tools: ['search_nodes'],
    says: 'the server ends on a query of more than 500 characters',
    call: ({ query }) => (String(query).length > 500 ? 'crash' : undefined),
  },
  {
    id: 'hang-on-empty-text',
    package: 'mcp-json',
    tools: ['search_json_content'],
    says: 'an empty searchTerm is never answered',
    call: ({ searchTerm }) => (searchTerm === '' ? 'hang' : undefined),
  },
];

const ofResults: readonly Fault[] = [
  {
    id: 'result-against-schema',
    package: `${official}customer-segmentation`,
    tools: ['get-customer-data'],
    says: 'the result lacks what its output schema requires',
    result: ({ structuredContent, ...others }) => ({
      ...others,
      structuredContent: { segments: (structuredContent as Json | undefined)?.['segments'] },
    }),
  },
  {
    id: 'error-as-result',
    package: 'mcp-json',
    tools: ['read_json_file'],
    says: 'the text of an error comes as an ordinary result',
    result: ({ isError: _, ...others }) => others,
  },
];

export const faults: readonly Fault[] = [...ofDescriptions, ...ofSchemas, ...ofCalls, ...ofResults];

function altered(name: string, change: (tool: ListedTool) => Partial<ListedTool>) {
  return (tools: readonly ListedTool[]) =>
    tools.map((tool) => (tool.name === name ? { ...tool, ...change(tool) } : tool));
}

function descriptionsSwapped(one: string, other: string) {
  return (tools: readonly ListedTool[]) => {
    const of = (name: string) => ({
      description: tools.find((tool) => tool.name === name)?.description ?? '',
    });
    return altered(one, () => of(other))(altered(other, () => of(one))(tools));
  };
}

function refused(text: string): Done {
  return { answer: { isError: true, content: [{ type: 'text', text }] } };
}
