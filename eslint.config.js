/**
 * Type-aware lint of src, workers, web, tests and bench; Biome does everything else. Kernels are left out:
 * to ESLint their numeric casts look superfluous, and its fixers would delete them.
 */
import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import { configs } from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/**', 'coverage/**', 'assembly/**'] },
  {
    files: ['{src,workers,tests,bench}/**/*.ts', 'web/**/*.{ts,tsx}', '*.config.ts'],
    extends: [eslint.configs.recommended, configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    // Rules tell their stories from facts, any of which TypeScript thinks may be missing.
    files: ['src/rules/!(own|scenario)/*.ts'],
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNullish: true }],
    },
  },
);
