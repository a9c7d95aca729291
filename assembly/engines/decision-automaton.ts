/** Compiled scenarios as environments: docs/reference/abi.md. */
export * from '../environments/abi';
