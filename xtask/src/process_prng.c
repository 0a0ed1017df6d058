/* Wine before 8.13 has no bcryptprimitives.dll, where Rust's standard library finds random numbers for hash maps. This is one, by the
 * function of advapi32 that has the same numbers. It lies beside the program that is run under Wine, and nowhere else. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG length); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return length <= MAXDWORD && SystemFunction036(data, (ULONG)length);
}
