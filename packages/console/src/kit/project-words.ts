export const roleWords = {
  member: 'member',
  manage: 'manager',
  admin: 'admin',
} as const;

export const visibilityWords = {
  public: 'everyone in the organization',
  private: 'invited people only',
} as const;
