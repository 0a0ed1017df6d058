/* Wine before 8.13 has no bcryptprimitives.dll, which gives Rust's standard library random numbers for hash
 * maps. This replacement calls the function of advapi32 that returns the same numbers. It is put next to the
 * program that runs under Wine, and nowhere else. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG length); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return length <= MAXDWORD && SystemFunction036(data, (ULONG)length);
}
