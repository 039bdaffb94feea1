/* FreeRTOS on an STM32F100RB: 8 MHz, 8 KiB RAM, two tasks. */

#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 8000000UL
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES 4
#define configMINIMAL_STACK_SIZE 64
#define configTOTAL_HEAP_SIZE (3 * 1024)
#define configMAX_TASK_NAME_LEN 8

#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_MUTEXES 1
#define configUSE_TIMERS 0
#define configSUPPORT_STATIC_ALLOCATION 0
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configUSE_MALLOC_FAILED_HOOK 0
#define configCHECK_FOR_STACK_OVERFLOW 2

#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1

/* This chip has four priority bits; lower numbers are more urgent. */
#define configPRIO_BITS 4
#define configKERNEL_INTERRUPT_PRIORITY (15 << (8 - configPRIO_BITS))
#define configMAX_SYSCALL_INTERRUPT_PRIORITY (5 << (8 - configPRIO_BITS))

void assert_failed(const char *file, int line);
#define configASSERT(x) do { if (!(x)) { assert_failed(__FILE__, __LINE__); } } while (0)

/* The kernel's handlers under the names of startup.c. */
#define vPortSVCHandler svc_handler
#define xPortPendSVHandler pend_sv_handler
#define xPortSysTickHandler sys_tick_handler

#endif
