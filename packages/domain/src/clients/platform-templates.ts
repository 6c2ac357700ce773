/** Clients that work inside another product or without a person. */
import type { ClientTemplate } from './client-template.ts';

export const platformTemplates = {
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
