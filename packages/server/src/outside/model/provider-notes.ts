/**
 * Some providers attach a signature to a tool call or to reasoning and want it back with the conversation. It means nothing
 * to anybody else, so it stands in no trace; it is kept beside the input object of the call, or beside the reasoning, for
 * as long as that lives.
 */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';

const notes = new WeakMap<object, SharedV3ProviderMetadata>();

export function keepProviderNotes(beside: object, given: SharedV3ProviderMetadata): void {
  notes.set(beside, given);
}

export function providerNotesOf(beside: object): SharedV3ProviderMetadata | undefined {
  return notes.get(beside);
}
