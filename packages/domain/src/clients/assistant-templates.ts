/** Clients in which a person talks to an assistant. */
import type { ClientTemplate } from './client-template.ts';

const conversation =
  'You help a person in a conversation. Use a tool when it can answer better than you can from memory. ' +
  'Say plainly what you found, and say so when a tool fails.';

export const assistantTemplates = {
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
