import type { Persona } from '@proofmark/contract';
import type { SavedPersona } from '@proofmark/domain';

export function presentPersona(persona: SavedPersona): Persona {
  const { avatarShape, avatarPalette, seedKeywords, ...shown } = persona;
  return {
    ...shown,
    ...(seedKeywords === null ? {} : { seedKeywords: [...seedKeywords] }),
    avatar: { shape: avatarShape, palette: avatarPalette },
    createdAt: persona.createdAt.getTime(),
    updatedAt: persona.updatedAt.getTime(),
  };
}
