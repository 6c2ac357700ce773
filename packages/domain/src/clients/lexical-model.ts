/** The deterministic host that is built in: it ranks tools by their words and is no language model. */
export const lexicalModelId = 'proofmark/lexical-1';

/** Whether it is a part of Proofmark, which asks no provider. */
export function isBuiltInModel(model: string): boolean {
  return model.startsWith('proofmark/');
}
