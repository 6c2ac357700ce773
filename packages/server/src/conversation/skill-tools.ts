/**
 * The tools with which a model lists and reads the client's skills. They call no server, so their
 * results prove nothing about any server.
 */
import type { Json, ResolvedSkill } from '@proofmark/domain';
import type { ModelTool, ToolResultPart } from '../outside/model/model-gateway.ts';

export const skillModelTools: readonly ModelTool[] = [
  {
    name: 'listSkills',
    description: 'Lists the skills that can be loaded, by name.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: 'loadSkill',
    description: 'Loads the text of one skill. Read it before you do what it is about.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The name of the skill.' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
];

export function useSkills(
  toolName: string,
  input: Json,
  skills: readonly ResolvedSkill[],
  texts: ReadonlyMap<string, string>,
): ToolResultPart['output'] {
  if (toolName === 'listSkills') {
    return { type: 'json', value: { skills: skills.map(({ name }) => ({ name })) } };
  }
  const asked = input['name'];
  const skill = skills.find(({ name }) => name === asked);
  if (skill === undefined) {
    return {
      type: 'error-text',
      value: 'This skill does not exist; call listSkills for the names of all skills.',
    };
  }
  const text = texts.get(skill.skillVersionId);
  if (text === undefined)
    throw new Error('Internal fault: the text of a skill of the run is missing.');
  return { type: 'json', value: { name: skill.name, text } };
}
