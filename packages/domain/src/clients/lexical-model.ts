/** The built-in deterministic model. It ranks tools by their words and is not a language model. */
export const lexicalModelId = 'proofmark/lexical-1';

/** Returns whether a model is part of Proofmark and therefore needs no provider. */
export function isBuiltInModel(model: string): boolean {
  return model.startsWith('proofmark/');
}
