import type { Vocabulary } from '../../kit/changes/change-words.ts';

export function clientVocabulary(serverName: (id: string) => string | undefined): Vocabulary {
  return {
    labels: clientLabels,
    absent: 'not stated',
    nameOf: (path, id) =>
      ['config.serverIds', 'config.optionalServerIds'].includes(path.join('.'))
        ? serverName(id)
        : undefined,
  };
}

const clientLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  'config.hostStyle': 'Style',
  'config.modelId': 'Model',
  'config.systemPrompt': 'System prompt',
  'config.temperature': 'Temperature',
  'config.topP': 'Top-p',
  'config.maxTokens': 'Max output tokens',
  'config.seed': 'Seed',
  'config.reasoningEffort': 'Reasoning effort',
  'config.requireToolApproval': 'Approval of each tool call',
  'config.parallelToolCalls': 'Parallel tool calls',
  'config.respectToolVisibility': 'Tool visibility',
  'config.progressiveToolDiscovery': 'Progressive tool discovery',
  'config.connectionDefaults': 'Connection defaults',
  'config.connectionDefaults.headers': 'Header',
  'config.connectionDefaults.requestTimeout': 'Request timeout in milliseconds',
  'config.clientCapabilities': 'Capabilities',
  'config.hostContext': 'Context',
  'config.serverIds': 'Required server',
  'config.optionalServerIds': 'Optional server',
  'config.builtInToolIds': 'Built-in tool',
  'config.skillSelection': 'Skills',
  'config.mcpProfile': 'MCP profile',
  'config.mcpProfile.mcpProtocolVersion': 'Protocol version',
  'config.mcpProfile.paginationTraversal': 'Pages of lists',
  'config.mcpProfile.resourceLinks': 'Resource links in results',
  'config.serverConnectionOverrides': 'Connection override',
  'config.hostCapabilitiesOverride': 'Capabilities override',
  'config.chatUiOverride': 'Chat override',
};
