/** The field `policies` of scenario files, for JSON Schemas. */
import { z } from 'zod';

export const policiesField = z
  .record(
    z.string().min(1),
    z.union([
      z.string().min(1).meta({ description: 'uniform, or the path of a policy file, relative to this file.' }),
      z.strictObject({
        file: z.string().min(1).meta({ description: 'Path of a policy file, relative to this file.' }),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional()
          .meta({ description: 'SHA-256 of the policy file in hexadecimal.' }),
      }),
      z
        .looseObject({ format: z.string().meta({ description: 'Format of policy files.' }) })
        .meta({ description: 'Content of a policy file.' }),
    ]),
  )
  .optional()
  .meta({ description: 'Policies of players, instead of those that the other fields declare.' });
