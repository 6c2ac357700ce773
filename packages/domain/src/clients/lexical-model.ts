/** The built-in deterministic host. It ranks tools by their words and is no language model. */
export const lexicalModelId = 'proofmark/lexical-1';

/** Whether a model is a part of Proofmark and needs no provider. */
export function isBuiltInModel(model: string): boolean {
  return model.startsWith('proofmark/');
}
