/**
 * A template config for each well-known client. The models, prompts and capabilities are a
 * plausible start for editing, not a claim about the product. No template depends on things that a
 * project may lack, such as a server or a computer.
 */
import type { ClientConfig } from './client-config.ts';
import type { Ability, ClientTemplate } from './client-template.ts';
import { type ClientTemplateId, clientTemplateIds } from './client-template-ids.ts';
import { lexicalModelId } from './lexical-model.ts';

const conversation =
  'You help a person in a conversation. Use a tool when it can answer better than you can from memory. ' +
  'Say plainly what you found, and say so when a tool fails.';

const assistantTemplates = {
  claude: {
    label: 'Claude',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: ['apps'],
    surface: 'web',
    systemPrompt: conversation,
  },
  chatgpt: {
    label: 'ChatGPT',
    modelId: 'openai/gpt-5',
    abilities: ['apps'],
    surface: 'web',
    systemPrompt: conversation,
  },
  mistral: {
    label: 'Mistral',
    modelId: 'mistralai/mistral-large-latest',
    abilities: [],
    surface: 'web',
    systemPrompt: conversation,
  },
  copilot: {
    label: 'Copilot',
    modelId: 'openai/gpt-5',
    abilities: [],
    surface: 'web',
    systemPrompt:
      'You help a person with office work: mail, documents, meetings and numbers. ' +
      'Use the tools for facts about their work, and keep answers short.',
  },
  perplexity: {
    label: 'Perplexity',
    modelId: 'perplexity/sonar-pro',
    abilities: [],
    surface: 'web',
    systemPrompt:
      'You answer questions from sources. Look things up with the tools before you answer, ' +
      'and name where each fact comes from.',
  },
  goose: {
    label: 'Goose',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: ['apps', 'elicitation', 'sampling'],
    surface: 'desktop',
    systemPrompt:
      'You carry out tasks on a person’s computer with the tools you are given. ' +
      'Work step by step, check each result, and report what was done.',
  },
} as const satisfies Record<string, ClientTemplate>;

const editor =
  'You help a programmer inside an editor. Use the tools to learn about the project before you answer. ' +
  'Prefer small changes and explain each in a sentence.';

const terminal =
  'You help a programmer in a terminal. Use the tools to find out what is true, do what was asked and no more, ' +
  'and report the outcome briefly.';

const coderTemplates = {
  'claude-code': {
    label: 'Claude Code',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: ['elicitation', 'roots'],
    surface: 'terminal',
    systemPrompt: terminal,
  },
  codex: {
    label: 'Codex',
    modelId: 'openai/gpt-5-codex',
    abilities: ['elicitation'],
    surface: 'terminal',
    systemPrompt: terminal,
  },
  cursor: {
    label: 'Cursor',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: ['elicitation', 'roots'],
    surface: 'desktop',
    systemPrompt: editor,
  },
  vscode: {
    label: 'VS Code',
    modelId: 'openai/gpt-5',
    abilities: ['apps', 'elicitation', 'roots', 'sampling'],
    surface: 'desktop',
    systemPrompt: editor,
  },
  cline: {
    label: 'Cline',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: [],
    surface: 'desktop',
    systemPrompt: editor,
  },
} as const satisfies Record<string, ClientTemplate>;

const platformTemplates = {
  slack: {
    label: 'Slackbot',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: [],
    surface: 'web',
    systemPrompt:
      'You answer in a chat channel that several people read. Use the tools for facts, ' +
      'and answer in a few short lines.',
  },
  notion: {
    label: 'Notion',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: [],
    surface: 'web',
    systemPrompt:
      'You help a person write and keep notes. Use the tools to read what exists before you add to it, ' +
      'and answer in clear paragraphs or lists.',
  },
  n8n: {
    label: 'n8n',
    modelId: 'openai/gpt-5-mini',
    abilities: [],
    surface: 'web',
    systemPrompt:
      'You are one step of an automated workflow; nobody can answer questions. ' +
      'Call the tools you need and end with the result alone.',
  },
  agentcore: {
    label: 'AgentCore',
    modelId: 'anthropic/claude-sonnet-4.5',
    abilities: [],
    surface: 'web',
    systemPrompt:
      'You are an agent that runs without supervision. Use the tools to reach the goal you are given, ' +
      'stop when it is reached, and state the outcome.',
  },
} as const satisfies Record<string, ClientTemplate>;

export type ClientTheme = 'light' | 'dark';

export function templateConfig(id: ClientTemplateId, theme: ClientTheme = 'light'): ClientConfig {
  const template = clientTemplates[id];
  const { abilities, surface } = template;
  const showsApps = abilities.includes('apps');
  return {
    hostStyle: id,
    modelId: template.modelId,
    systemPrompt: template.systemPrompt,
    clientCapabilities: Object.assign({}, ...abilities.map((ability) => declarations[ability]())),
    hostContext: {
      theme,
      locale: 'en-US',
      platform: surface === 'web' ? 'web' : 'desktop',
      ...(showsApps ? { displayMode: 'inline', availableDisplayModes: ['inline'] } : {}),
    },
    ...(showsApps ? { respectToolVisibility: true } : {}),
    mcpProfile: {
      profileVersion: 1,
      mcpProtocolVersion: 'auto',
      paginationTraversal: 'full',
      // A multi-round call sends requests to the client, so only clients that can answer requests
      // support it.
      mrtrSupport: abilities.some((ability) => ability !== 'apps') ? 'full' : 'none',
    },
  };
}

export const clientTemplates: Readonly<Record<ClientTemplateId, ClientTemplate>> = {
  proofmark: {
    label: 'Proofmark',
    modelId: lexicalModelId,
    abilities: [],
    surface: 'terminal',
    systemPrompt: 'Use the tool that fits the request best. If none fits, say so.',
  },
  ...assistantTemplates,
  ...coderTemplates,
  ...platformTemplates,
};

export function listClientTemplates(): { id: ClientTemplateId; label: string; modelId: string }[] {
  return clientTemplateIds.map((id) => {
    const { label, modelId } = clientTemplates[id];
    return { id, label, modelId };
  });
}

/** Each call creates a new object, so that no two configs share one. */
const declarations: Readonly<Record<Ability, () => Record<string, unknown>>> = {
  apps: () => ({
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  }),
  elicitation: () => ({ elicitation: { form: {} } }),
  roots: () => ({ roots: { listChanged: true } }),
  sampling: () => ({ sampling: {} }),
};
